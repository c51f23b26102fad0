// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/obstacles.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace berth::lifecycle {
namespace {

constexpr std::string_view kLostTask = "cannot delete running task ";
constexpr std::string_view kHexadecimal = "0123456789abcdef";
// Where ctr looks by default.
constexpr std::string_view kUsualSocket = "/run/containerd/containerd.sock";
constexpr std::string_view kUnix = "unix://";

std::string what_of(const Obstacle& obstacle) {
  if (obstacle.container.empty()) return "its sandbox " + obstacle.id;
  return fmt::format("container {} ({})", obstacle.container, obstacle.id);
}

std::string address_option(std::string_view endpoint) {
  if (endpoint.starts_with(kUnix)) endpoint.remove_prefix(kUnix.size());
  if (endpoint == kUsualSocket || endpoint.empty()) return "";
  return fmt::format("--address {} ", endpoint);
}

}  // namespace

bool Obstacles::met(Obstacle obstacle) {
  const auto known = std::ranges::find_if(all_, [&obstacle](const Obstacle& one) {
    return one.kind == obstacle.kind && one.id == obstacle.id;
  });
  if (known == all_.end()) {
    all_.push_back(std::move(obstacle));
    return true;
  }
  if (known->error == obstacle.error) return false;
  known->error = std::move(obstacle.error);
  return true;
}

void Obstacles::gone(ObstacleKind kind, std::string_view id) {
  std::erase_if(all_, [&](const Obstacle& one) { return one.kind == kind && one.id == id; });
}

std::string obstacle_text(const Obstacle& obstacle) {
  const std::string error = obstacle.error.empty() ? "no answer yet" : obstacle.error;
  switch (obstacle.kind) {
    case ObstacleKind::kStop:
      return fmt::format("the runtime refuses to stop {}: {}", what_of(obstacle), error);
    case ObstacleKind::kRemoval:
      return fmt::format("the runtime refuses to remove {}: {}", what_of(obstacle), error);
    case ObstacleKind::kCleanup:
      return "berthd cannot remove its files and cgroups from this node: " + error;
    case ObstacleKind::kFinalPhase:
      return "the pod has ended, but its end is not persisted yet; the store: " + error;
  }
  return error;
}

std::optional<std::string> lost_task(std::string_view error) {
  const auto found = error.find(kLostTask);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view rest = error.substr(found + kLostTask.size());
  const std::string_view id = rest.substr(0, rest.find_first_not_of(kHexadecimal));
  if (id.empty()) return std::nullopt;
  return std::string(id);
}

std::string obstacle_advice(const HeldPod& held, const RuntimeSocket& socket) {
  const Obstacle& obstacle = held.obstacle;
  if (obstacle.kind == ObstacleKind::kFinalPhase)
    return "berthd publishes it as soon as it can write the state file";
  if (obstacle.kind == ObstacleKind::kCleanup)
    return "berthd retries every 10 s; something else may hold them: a mount, a process, an "
           "immutable file";
  if (const auto task = lost_task(obstacle.error)) {
    const std::string whose =
        held.lost_task_of.empty() ? "" : fmt::format(" of container {}", held.lost_task_of);
    return fmt::format(
        "containerd has lost the task {}{}; `ctr {}-n k8s.io tasks delete --force {}` deletes it, "
        "and berthd then removes the rest",
        *task, whose, address_option(socket.endpoint), *task);
  }
  return "berthd retries every 10 s; the runtime's own log may have details";
}

}  // namespace berth::lifecycle
