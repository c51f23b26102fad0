// SPDX-License-Identifier: Apache-2.0

// The client's calls about containers.
#include <algorithm>

#include "cri/client.hpp"
#include "cri/client_reply.hpp"
#include "cri/connection.hpp"
#include "cri/translate.hpp"
#include "cri/translate_statistics.hpp"

namespace berth::cri {
namespace {

constexpr std::chrono::seconds kCentury{std::chrono::years(100)};

}  // namespace

Call<ContainerId> CriClient::create_container(Context context, SandboxId sandbox,
                                              ContainerConfig config,
                                              PodSandboxConfig sandbox_config) {
  pb::CreateContainerRequest request;
  request.set_pod_sandbox_id(sandbox.str());
  *request.mutable_config() = to_message(config);
  *request.mutable_sandbox_config() = to_message(sandbox_config);
  auto call = connection_->runtime_call<pb::CreateContainerResponse>(
      "CreateContainer", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (reply->container_id().empty()) co_return nothing_in("CreateContainer", "container id");
  co_return ContainerId(reply->container_id());
}

Call<Done> CriClient::start_container(Context context, ContainerId id) {
  pb::StartContainerRequest request;
  request.set_container_id(id.str());
  auto call = connection_->runtime_call<pb::StartContainerResponse>(
      "StartContainer", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  co_return done(reply);
}

Call<Done> CriClient::stop_container(Context context, ContainerId id,
                                     std::chrono::seconds timeout) {
  pb::StopContainerRequest request;
  request.set_container_id(id.str());
  request.set_timeout(timeout.count());
  // The call returns when the container has stopped, so the grace period is added. It may be any
  // number; more than a century would overflow nanoseconds.
  const std::chrono::seconds grace = std::min(timeout, kCentury);
  auto call = connection_->runtime_call<pb::StopContainerResponse>(
      "StopContainer", std::move(request), limit(context, request_timeout_ + grace));
  const auto reply = co_await std::move(call);
  co_return done_or_gone(reply);
}

Call<Done> CriClient::remove_container(Context context, ContainerId id) {
  pb::RemoveContainerRequest request;
  request.set_container_id(id.str());
  auto call = connection_->runtime_call<pb::RemoveContainerResponse>(
      "RemoveContainer", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  co_return done_or_gone(reply);
}

Call<ContainerStatus> CriClient::container_status(Context context, ContainerId id) {
  pb::ContainerStatusRequest request;
  request.set_container_id(id.str());
  auto call = connection_->runtime_call<pb::ContainerStatusResponse>(
      "ContainerStatus", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (!reply->has_status()) co_return nothing_in("ContainerStatus", "status");
  co_return from_message(reply->status());
}

Call<std::vector<Container>> CriClient::list_containers(Context context, ContainerFilter filter) {
  pb::ListContainersRequest request;
  *request.mutable_filter() = to_message(filter);
  auto call = connection_->runtime_call<pb::ListContainersResponse>(
      "ListContainers", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  std::vector<Container> containers;
  for (const auto& item : reply->containers()) containers.push_back(from_message(item));
  co_return containers;
}

Call<std::vector<ContainerStatistics>> CriClient::list_container_statistics(Context context) {
  auto call = connection_->runtime_call<pb::ListContainerStatsResponse>(
      "ListContainerStats", pb::ListContainerStatsRequest(), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  std::vector<ContainerStatistics> statistics;
  for (const auto& item : reply->stats()) statistics.push_back(from_message(item));
  co_return statistics;
}

Call<Done> CriClient::reopen_container_log(Context context, ContainerId id) {
  pb::ReopenContainerLogRequest request;
  request.set_container_id(id.str());
  auto call = connection_->runtime_call<pb::ReopenContainerLogResponse>(
      "ReopenContainerLog", std::move(request), limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  co_return done(reply);
}

Call<ExecResult> CriClient::exec_sync(Context context, ContainerId id,
                                      std::vector<std::string> command,
                                      std::chrono::seconds timeout) {
  pb::ExecSyncRequest request;
  request.set_container_id(id.str());
  request.mutable_cmd()->Add(command.begin(), command.end());
  request.set_timeout(timeout.count());
  std::optional<Nanoseconds> own;
  if (timeout.count() > 0) own = request_timeout_ + std::min(timeout, kCentury);
  auto call = connection_->runtime_call<pb::ExecSyncResponse>("ExecSync", std::move(request),
                                                              limit(context, own));
  auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  ExecResult result{.stdout_data = std::move(*reply->mutable_stdout()),
                    .stderr_data = std::move(*reply->mutable_stderr()),
                    .exit_code = reply->exit_code()};
  co_return result;
}

Call<std::string> CriClient::exec(Context context, ContainerId id, std::vector<std::string> command,
                                  bool tty, bool use_stdin) {
  pb::ExecRequest request;
  request.set_container_id(id.str());
  request.mutable_cmd()->Add(command.begin(), command.end());
  request.set_tty(tty);
  request.set_stdin(use_stdin);
  request.set_stdout(true);
  request.set_stderr(!tty);  // a terminal has one output; runtimes refuse both
  auto call = connection_->runtime_call<pb::ExecResponse>("Exec", std::move(request),
                                                          limit(context, request_timeout_));
  const auto reply = co_await std::move(call);
  if (!reply) co_return fail(reply.error());
  if (reply->url().empty()) co_return nothing_in("Exec", "url");
  co_return reply->url();
}

}  // namespace berth::cri
