// SPDX-License-Identifier: Apache-2.0

// berthctl delete pod NAME... [--grace-period N] [--now] [--force] [--wait=false] [--timeout T]
#include <chrono>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "ctl/command.hpp"
#include "ctl/delete_request.hpp"
#include "ctl/object_text.hpp"
#include "ctl/pod_query.hpp"

namespace berth::ctl {
namespace {

// kubectl's warning, with berth's difference.
constexpr const char* kForcedWarning =
    "Warning: Immediate deletion does not wait for confirmation that the running resource has been "
    "terminated. Its containers are stopped all the same, and a new pod of its name starts only "
    "after that.\n";
constexpr const char* kComesBack =
    "note: its manifest is still in the folder, so berthd starts a new incarnation; remove the "
    "file to end the pod for good\n";
constexpr const char* kNotStored =
    "warning: the deletion was not persisted within a second; if berthd crashes now, the pod may "
    "keep running\n";

// gRPC uses the system clock's own type.
std::chrono::system_clock::time_point system_time(WallTime time) {
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(time.time_since_epoch()));
}

// Waits until the incarnation with that uid is gone.
Outcome wait_until_gone(Connection& agent, const control::v1::DeletePodReply& deleted,
                        std::optional<WallTime> deadline) {
  control::v1::WatchPodsRequest request;
  request.set_namespace_(deleted.namespace_());
  request.set_name(deleted.name());
  auto stream =
      agent.stream<control::v1::PodChange>(Patience::kFirstSign, [&](grpc::ClientContext* call) {
        if (deadline) call->set_deadline(system_time(*deadline));
        return agent.stub().WatchPods(call, request);
      });
  bool seen = false;
  bool gone = false;
  control::v1::PodChange change;
  while (!gone && stream.read(change)) {
    if (change.type() == control::v1::SYNCED) {
      gone = !seen;
      continue;
    }
    const auto pod = pod_from(change.pod_json());
    if (!pod) {
      stream.drop();
      return std::unexpected(pod.error());
    }
    const bool same = pod->metadata.uid == deleted.uid() && !pod->metadata.uid.empty();
    seen = seen || same;
    gone = same && change.type() == control::v1::DELETED;
  }
  if (gone) {
    stream.drop();
    return 0;
  }
  // The stream has ended by itself; finish() returns why.
  const auto ended = stream.finish();
  if (ended) return 0;
  if (ended.error().code == ErrorCode::kTimeout && deadline && now() >= *deadline)
    return fail(ErrorCode::kTimeout,
                fmt::format("timed out waiting for the condition on pods/{}", deleted.name()));
  return std::unexpected(ended.error());
}

Result<control::v1::DeletePodReply> delete_one(Connection& agent, const Options& options,
                                               const std::string& name,
                                               const DeleteOptions& deletion) {
  control::v1::DeletePodRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_name(name);
  if (deletion.grace) request.set_grace_period_seconds(*deletion.grace);
  control::v1::DeletePodReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().DeletePod(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  const char* how = deletion.force ? "force deleted" : "deleted";
  print(fmt::format("pod \"{}\" {} from {} namespace\n", reply.name(), how, reply.namespace_()));
  if (reply.comes_back()) std::fputs(kComesBack, stderr);
  if (reply.not_stored()) std::fputs(kNotStored, stderr);
  return reply;
}

}  // namespace

Outcome delete_pods(Connection& agent, const Options& options,
                    const std::vector<std::string>& names, const DeleteOptions& asked) {
  const auto deletion = as_kubectl_asks(asked);
  if (!deletion) return fail(deletion.error());
  if (deletion->force) std::fputs(kForcedWarning, stderr);
  std::vector<control::v1::DeletePodReply> deleted;
  FoundPods found;
  for (const auto& name : names) {
    auto reply = delete_one(agent, options, name, *deletion);
    if (!reply && reply.error().code == ErrorCode::kNotFound) {
      found.missing.push_back(reply.error());
      continue;
    }
    if (!reply) return fail(reply.error());
    deleted.push_back(std::move(*reply));
  }
  std::optional<WallTime> deadline;
  if (deletion->timeout) deadline = now() + *deletion->timeout;
  for (const auto& reply : deleted) {
    if (!deletion->wait) break;
    if (auto gone = wait_until_gone(agent, reply, deadline); !gone) return gone;
  }
  return all_found(found);
}

}  // namespace berth::ctl
