// SPDX-License-Identifier: Apache-2.0

// berthctl logs POD [-c CONTAINER] [-f] [-p] [--tail N] [--since T] [--limit-bytes N]
#include <unistd.h>

#include <cstdio>

#include "base/text.hpp"
#include "ctl/command.hpp"

namespace berth::ctl {
namespace {

// What a container wrote must not drive a terminal; a file or a program gets it as it is.
class LogPrinter {
 public:
  void print(std::string_view piece) {
    if (is_terminal_)
      print_bytes(pieces_.next(piece));
    else
      print_bytes(piece);
  }
  void end() { print_bytes(pieces_.rest()); }

 private:
  bool is_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  TerminalTextPieces pieces_{};
};

}  // namespace

Outcome show_logs(Connection& agent, const Options& options, const LogsOptions& logs) {
  control::v1::LogsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(logs.pod);
  request.set_container(logs.container);
  request.set_follow(logs.follow);
  request.set_previous(logs.previous);
  request.set_timestamps(logs.timestamps);
  if (logs.tail && *logs.tail >= 0) request.set_tail_lines(*logs.tail);
  request.set_since_time(logs.since_time);
  if (logs.limit_bytes) request.set_limit_bytes(*logs.limit_bytes);
  if (logs.since_seconds) request.set_since_seconds(*logs.since_seconds);

  const auto patience = logs.follow ? Patience::kFirstSign : Patience::kEachReply;
  auto stream = agent.stream<control::v1::LogsReply>(
      patience, [&](grpc::ClientContext* call) { return agent.stub().Logs(call, request); });
  LogPrinter printer;
  control::v1::LogsReply reply;
  while (stream.read(reply)) {
    if (!reply.notice().empty()) complain(reply.notice() + "\n");
    printer.print(reply.data());
    // The reader of our output has gone (`logs -f | head`).
    if (std::ferror(stdout) != 0) {
      stream.drop();
      return 0;
    }
  }
  printer.end();
  const auto ended = stream.finish();
  if (!ended) return std::unexpected(ended.error());
  return 0;
}

}  // namespace berth::ctl
