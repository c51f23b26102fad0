// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/admission/unschedulable.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lifecycle/status/conditions.hpp"
#include "lifecycle/status/pod_status.hpp"

namespace berth::lifecycle {

api::PodStatus unschedulable_status(const api::Pod& pod, const Unschedulable& why,
                                    std::string_view qos_class) {
  api::PodStatus status = pending_status("", "", qos_class);
  status.nominatedNodeName = why.nominated_node;
  status.conditions.push_back({.type = std::string(kPodScheduled),
                               .observedGeneration = pod.metadata.generation,
                               .status = "False",
                               .reason = why.reason,
                               .message = why.message});
  return status;
}

api::PodCondition preempted_condition(const api::Pod& pod, std::string message) {
  return {.type = std::string(kDisruptionTarget),
          .observedGeneration = pod.metadata.generation,
          .status = "True",
          .reason = std::string(kPreemptionByScheduler),
          .message = std::move(message)};
}

std::vector<api::PodCondition> preemption_of(const api::PodStatus& status) {
  std::vector<api::PodCondition> found;
  std::ranges::copy_if(status.conditions, std::back_inserter(found), [](const auto& condition) {
    return condition.type == kDisruptionTarget && condition.status == "True" &&
           condition.reason == kPreemptionByScheduler;
  });
  return found;
}

}  // namespace berth::lifecycle
