// berthctl delete pod NAME... [--grace-period N] [--wait=false]
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "ctl/command.hpp"
#include "ctl/objects.hpp"

namespace berth::ctl {
namespace {

// Until the incarnation of that uid is gone; --request-timeout does not apply, a grace period may
// be long.
Outcome wait_until_gone(Connection& agent, const control::v1::DeletePodReply& deleted) {
  control::v1::WatchPodsRequest request;
  request.set_namespace_(deleted.namespace_());
  request.set_name(deleted.name());
  const auto context = Connection::endless_context();
  const auto stream = agent.stub().WatchPods(context.get(), request);
  bool seen = false;
  control::v1::PodChange change;
  while (stream->Read(&change)) {
    if (change.type() == control::v1::SYNCED) {
      if (!seen) break;
      continue;
    }
    const auto pod = pod_from(change.pod_json());
    if (!pod) return std::unexpected(pod.error());
    const bool same = pod->metadata.uid == deleted.uid() && !pod->metadata.uid.empty();
    if (same && change.type() == control::v1::DELETED) {
      seen = false;
      break;
    }
    seen = seen || same;
  }
  const bool lost = seen;
  context->TryCancel();
  const grpc::Status status = stream->Finish();
  if (lost) return fail(agent.explain(status));
  return 0;
}

}  // namespace

Outcome delete_pods(Connection& agent, const Options& options,
                    const std::vector<std::string>& names, std::optional<std::int64_t> grace,
                    bool wait) {
  for (const auto& name : names) {
    control::v1::DeletePodRequest request;
    request.set_namespace_(chosen_namespace(options));
    request.set_name(name);
    if (grace) request.set_grace_period_seconds(*grace);
    control::v1::DeletePodReply reply;
    const auto context = agent.context();
    const grpc::Status status = agent.stub().DeletePod(context.get(), request, &reply);
    if (!status.ok()) return fail(agent.explain(status));
    std::fputs(
        fmt::format("pod \"{}\" deleted from {} namespace\n", reply.name(), reply.namespace_())
            .c_str(),
        stdout);
    std::fflush(stdout);
    if (reply.comes_back()) {
      std::fputs(
          "note: its manifest is still in the folder, so a new one follows; remove the file "
          "to end it for good\n",
          stderr);
    }
    if (!wait) continue;
    if (auto gone = wait_until_gone(agent, reply); !gone) return gone;
  }
  return 0;
}

}  // namespace berth::ctl
