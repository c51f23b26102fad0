// SPDX-License-Identifier: Apache-2.0

// What pods show while they wait for room, and what those show that make it.
//
// Words are the scheduler's, v1.34. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"

namespace berth::lifecycle {

inline constexpr std::string_view kPreemptionByScheduler = "PreemptionByScheduler";

// Pending, with the reason (Unschedulable or SchedulerError) in its condition PodScheduled.
// `nominated_node`: where others are ended for it; empty: nowhere.
struct Unschedulable {
  std::string reason{};
  std::string message{};
  std::string nominated_node{};
};
[[nodiscard]] api::PodStatus unschedulable_status(const api::Pod& pod, const Unschedulable& why,
                                                  std::string_view qos_class);

// DisruptionTarget of a pod that goes for another one.
[[nodiscard]] api::PodCondition preempted_condition(const api::Pod& pod, std::string message);
// That condition, if it is there.
[[nodiscard]] std::vector<api::PodCondition> preemption_of(const api::PodStatus& status);

}  // namespace berth::lifecycle
