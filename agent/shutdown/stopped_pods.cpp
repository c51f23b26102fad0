// SPDX-License-Identifier: Apache-2.0

#include "agent/shutdown/stopped_pods.hpp"

#include <algorithm>

#include "lifecycle/conditions.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::agent {
namespace {

constexpr const char* kNodeShutdown = "NodeShutdown";

// The condition is there however the containers exited, and only if the order came before their
// end.
bool was_stopped(const api::PodStatus& status) {
  const lifecycle::Ending order = lifecycle::node_shutdown({}, {});
  const api::PodCondition* disruption =
      lifecycle::find_condition(status.conditions, lifecycle::kDisruptionTarget);
  if (disruption == nullptr || disruption->reason != lifecycle::kTerminationByKubelet ||
      disruption->message != order.failure->disruption)
    return false;
  return status.phase == lifecycle::kSucceeded ||
         (status.phase == lifecycle::kFailed && status.reason == order.failure->reason);
}

}  // namespace

lifecycle::Refusal refused_by_shutdown() {
  return {.reason = kNodeShutdown, .message = "Pod was rejected as the node is shutting down."};
}

bool comes_back(const api::Pod& pod) {
  const auto& status = pod.status;
  if (status.phase == lifecycle::kFailed && status.reason == kNodeShutdown) return true;
  return pod.spec.restartPolicy != "Never" && was_stopped(status);
}

}  // namespace berth::agent
