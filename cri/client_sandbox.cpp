// SPDX-License-Identifier: Apache-2.0

// The client's calls about sandboxes.
#include "cri/client.hpp"
#include "cri/client_reply.hpp"
#include "cri/connection.hpp"
#include "cri/translate.hpp"

namespace berth::cri {

Call<SandboxId> CriClient::run_pod_sandbox(Context context, PodSandboxConfig config,
                                           std::string runtime_handler) {
  pb::RunPodSandboxRequest request;
  *request.mutable_config() = to_message(config);
  request.set_runtime_handler(std::move(runtime_handler));
  // Twice the usual limit: the call sets up the network too (the kubelet's rule).
  auto call = connection_->runtime_call<pb::RunPodSandboxResponse>(
      "RunPodSandbox", std::move(request), limit(context, 2 * request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (reply->pod_sandbox_id().empty()) co_return nothing_in("RunPodSandbox", "sandbox id");
  co_return SandboxId(reply->pod_sandbox_id());
}

Call<Done> CriClient::stop_pod_sandbox(Context context, SandboxId id) {
  pb::StopPodSandboxRequest request;
  request.set_pod_sandbox_id(id.str());
  auto call = connection_->runtime_call<pb::StopPodSandboxResponse>(
      "StopPodSandbox", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  co_return done_or_gone(reply);
}

Call<Done> CriClient::remove_pod_sandbox(Context context, SandboxId id) {
  pb::RemovePodSandboxRequest request;
  request.set_pod_sandbox_id(id.str());
  auto call = connection_->runtime_call<pb::RemovePodSandboxResponse>(
      "RemovePodSandbox", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  co_return done_or_gone(reply);
}

Call<PodSandboxStatus> CriClient::pod_sandbox_status(Context context, SandboxId id) {
  pb::PodSandboxStatusRequest request;
  request.set_pod_sandbox_id(id.str());
  auto call = connection_->runtime_call<pb::PodSandboxStatusResponse>(
      "PodSandboxStatus", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (!reply->has_status()) co_return nothing_in("PodSandboxStatus", "status");
  co_return from_message(reply->status());
}

Call<std::vector<PodSandbox>> CriClient::list_pod_sandbox(Context context, SandboxFilter filter) {
  pb::ListPodSandboxRequest request;
  *request.mutable_filter() = to_message(filter);
  auto call = connection_->runtime_call<pb::ListPodSandboxResponse>(
      "ListPodSandbox", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  std::vector<PodSandbox> sandboxes;
  for (const auto& item : reply->items()) sandboxes.push_back(from_message(item));
  co_return sandboxes;
}

}  // namespace berth::cri
