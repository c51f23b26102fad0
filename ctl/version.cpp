// berthctl version: this program's, the agent's and the runtime's.
#include <cstdio>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/json_text.hpp"
#include "ctl/command.hpp"
#include "ctl/describe_text.hpp"
#include "ctl/exit_code.hpp"

namespace berth::ctl {

// The client's own version is known without an agent; so it is printed before the agent is asked.
Outcome show_version(const Options& options) {
  control::v1::VersionReply reply;
  std::optional<Error> problem;
  auto agent = Connection::open(options.socket, options.request_timeout);
  if (agent) {
    const auto context = agent->context();
    const grpc::Status status = agent->stub().Version(context.get(), {}, &reply);
    if (!status.ok()) problem = agent->explain(status);
  } else {
    problem = agent.error();
  }

  if (options.output == Output::kJson) {
    const boost::json::value value = {{"berthctl", BERTH_VERSION},
                                      {"berthd", reply.berth()},
                                      {"cri", reply.cri()},
                                      {"runtimeName", reply.runtime_name()},
                                      {"runtimeVersion", reply.runtime_version()},
                                      {"kernel", reply.kernel()}};
    std::fputs((api::pretty_json(value) + "\n").c_str(), stdout);
  } else {
    DescribeText out;
    out.field("berthctl", BERTH_VERSION);
    if (!problem) {
      out.field("berthd", reply.berth());
      out.field("Runtime", reply.runtime_name().empty()
                               ? "not connected"
                               : fmt::format("{} {} (CRI {})", reply.runtime_name(),
                                             reply.runtime_version(), reply.cri()));
      out.field("Kernel", reply.kernel());
    }
    std::fputs(out.text().c_str(), stdout);
  }
  if (problem) return fail(std::move(*problem));
  return kOk;
}

}  // namespace berth::ctl
