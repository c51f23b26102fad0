// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/pod_removal.hpp"

#include "lifecycle/worker/pod_parts.hpp"

namespace berth::lifecycle {

PodRemoval::PodRemoval(PodParts& parts)
    : env_(parts.env),
      pod_(parts.pod),
      teller_(parts.teller),
      timetable_(parts.timetable),
      observed_(parts.observed),
      stops_(parts.stops) {}

// Stops the sandbox first, if that has not been done: one that died by itself still has its
// network.
boost::asio::awaitable<bool> PodRemoval::remove_sandbox(cri::SandboxId id) {
  const std::string key = "remove/" + id.str();
  if (!timetable_.due(key)) co_return false;
  Context context;
  Result<cri::Done> done = cri::Done{};
  if (!stops_.sandboxes().is_stopped(id.str()))
    done = co_await env_.runtime.stop_pod_sandbox(context, id);
  if (done || done.error().code == ErrorCode::kNotFound)
    done = co_await env_.runtime.remove_pod_sandbox(context, id);
  if (!done && done.error().code != ErrorCode::kNotFound) {
    timetable_.failed(key);
    teller_.hindered(
        {.kind = ObstacleKind::kRemoval, .id = id.str(), .error = done.error().message});
    co_return false;
  }
  timetable_.succeeded(key);
  teller_.unhindered(ObstacleKind::kRemoval, id.str());
  observed_.remove_sandbox(id.str());
  co_return true;
}

// Removes instances of that container that were created before and have not started: an earlier
// berthd may have called StartContainer for one and ended before the response, and it would then
// run beside its successor. An instance that runs by now is left to the next plan, which stops it;
// removing it would kill it without its grace period.
boost::asio::awaitable<bool> PodRemoval::remove_created_beside(std::string id) {
  for (const std::string& other : observed_.created_beside(id)) {
    if (!timetable_.due("remove/" + other)) co_return false;
    Context context;
    const auto status = co_await env_.runtime.container_status(context, cri::ContainerId(other));
    const bool is_gone = !status && status.error().code == ErrorCode::kNotFound;
    if (!is_gone && (!status || status->state != cri::ContainerState::kCreated)) {
      observed_.doubt();
      co_return false;
    }
    const bool removed = co_await remove_container(other);
    if (!removed) co_return false;
  }
  co_return true;
}

boost::asio::awaitable<bool> PodRemoval::remove_container(std::string id) {
  const std::string key = "remove/" + id;
  if (!timetable_.due(key)) co_return false;
  const ObservedContainer* container = observed_.container(id);
  if (container == nullptr) co_return true;
  const std::string name = container->status.metadata.name;
  const std::string log_path = container->status.log_path;
  const cri::ContainerId container_id(id);
  auto cleaned = co_await env_.host.remove_container_log(pod_, name, container_id, log_path);
  if (!cleaned) {
    timetable_.failed(key);
    teller_.log(LogLevel::kWarn, "ContainerGCFailed", cleaned.error().message, name);
    co_return false;
  }
  Context context;
  auto removed = co_await env_.runtime.remove_container(context, container_id);
  if (!removed && removed.error().code != ErrorCode::kNotFound) {
    timetable_.failed(key);
    teller_.hindered({.kind = ObstacleKind::kRemoval,
                      .id = id,
                      .container = name,
                      .error = removed.error().message});
    co_return false;
  }
  timetable_.succeeded(key);
  teller_.unhindered(ObstacleKind::kRemoval, id);
  observed_.remove_container(id);
  co_return true;
}

}  // namespace berth::lifecycle
