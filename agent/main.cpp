// SPDX-License-Identifier: Apache-2.0

// berthd: the node agent.
#include <malloc.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <google/protobuf/stubs/logging.h>

#include "agent/agent.hpp"
#include "agent/doctor/check.hpp"
#include "agent/journal_log.hpp"
#include "agent/settings/options.hpp"

namespace {

// Every network probe takes a descriptor while it is under way.
void raise_open_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(setrlimit(RLIMIT_NOFILE, &limit));
}

// The loop does nearly all the work: a heap for each thread that only waits or hops would be unused
// memory (0.7 MiB with 40 pods), and returning memory would have to visit them all.
void keep_one_heap() {
  static_cast<void>(mallopt(M_ARENA_MAX, 1));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace berth::agent;
  keep_one_heap();
  const auto options = parse_options(argc, argv);
  if (!options) return options.error();
  // A peer that closes is an error of a write, not of the process; gRPC's and protobuf's own
  // messages would mix with structured lines, and protobuf's quote whatever callers send.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(setenv("GRPC_VERBOSITY", "NONE", 0));
  google::protobuf::SetLogHandler(nullptr);
  if (options->check == Check::kMachine) return check_machine(*options);

  int code = kStartAgain;
  while (code == kStartAgain) {
    auto settings = load_settings(*options);
    if (!settings) {
      report_refusal(settings.error());
      return kExitConfig;
    }
    if (options->check == Check::kConfiguration) return check_configuration(*settings);

    raise_open_file_limit();
    const auto log = make_log(settings->log_level, settings->node_name);
    Agent agent(*options, std::move(*settings), *log);
    code = agent.run();
  }
  return code;
}
