// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/shutdown/stopped_pods.hpp"

#include <algorithm>

#include "lifecycle/ending.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/conditions.hpp"

namespace berth::lifecycle {
namespace {

constexpr const char* kNodeShutdown = "NodeShutdown";

// The condition is set however the containers exited, but only if the order came before their end.
bool was_stopped(const api::PodStatus& status) {
  const Ending order = node_shutdown({}, {});
  const api::PodCondition* disruption = find_condition(status.conditions, kDisruptionTarget);
  if (disruption == nullptr || disruption->reason != kTerminationByKubelet ||
      disruption->message != order.failure->disruption)
    return false;
  return status.phase == kSucceeded ||
         (status.phase == kFailed && status.reason == order.failure->reason);
}

}  // namespace

Refusal refused_by_shutdown() {
  return {.reason = kNodeShutdown, .message = "Pod was rejected as the node is shutting down."};
}

bool returns_after_shutdown(const api::Pod& pod) {
  const auto& status = pod.status;
  if (status.phase == kFailed && status.reason == kNodeShutdown) return true;
  return pod.spec.restartPolicy != "Never" && was_stopped(status);
}

}  // namespace berth::lifecycle
