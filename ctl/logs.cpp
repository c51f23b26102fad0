// berthctl logs POD [-c CONTAINER] [-f] [-p] [--tail N]
#include <cstdio>

#include "ctl/command.hpp"

namespace berth::ctl {

Outcome show_logs(Connection& agent, const Options& options, const LogsOptions& logs) {
  control::v1::LogsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(logs.pod);
  request.set_container(logs.container);
  request.set_follow(logs.follow);
  request.set_previous(logs.previous);
  request.set_timestamps(logs.timestamps);
  if (logs.tail && *logs.tail >= 0) request.set_tail_lines(*logs.tail);
  if (logs.since_seconds) request.set_since_seconds(*logs.since_seconds);

  const auto context = logs.follow ? Connection::endless_context() : agent.context();
  const auto stream = agent.stub().Logs(context.get(), request);
  control::v1::LogsReply reply;
  while (stream->Read(&reply)) {
    if (!reply.notice().empty()) std::fputs((reply.notice() + "\n").c_str(), stderr);
    const std::string& data = reply.data();
    if (std::fwrite(data.data(), 1, data.size(), stdout) != data.size()) {
      // Whoever read our output has gone (`logs -f | head`).
      context->TryCancel();
      stream->Finish();
      return 0;
    }
    std::fflush(stdout);
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return fail(agent.explain(status));
  return 0;
}

}  // namespace berth::ctl
