// SPDX-License-Identifier: Apache-2.0

// The statuses of pods that wait for room, and the conditions of those that make room.
//
// The wording is the scheduler's, v1.34. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"

namespace berth::lifecycle {

inline constexpr std::string_view kPreemptionByScheduler = "PreemptionByScheduler";

// Pending, with the reason (Unschedulable or SchedulerError) in its condition PodScheduled.
// `nominated_node`: where other pods are ended for it; empty if nowhere.
struct Unschedulable {
  std::string reason{};
  std::string message{};
  std::string nominated_node{};
};
[[nodiscard]] api::PodStatus unschedulable_status(const api::Pod& pod, const Unschedulable& why,
                                                  std::string_view qos_class);

// The condition DisruptionTarget of a pod that makes room for another one.
[[nodiscard]] api::PodCondition preempted_condition(const api::Pod& pod, std::string message);
// That condition, if the status has it.
[[nodiscard]] std::vector<api::PodCondition> preemption_of(const api::PodStatus& status);

}  // namespace berth::lifecycle
