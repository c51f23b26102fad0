// SPDX-License-Identifier: Apache-2.0

// The conditions of a pod that the node decides on. Transition times are not set here (see
// status_stamp.hpp). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

inline constexpr std::string_view kPodScheduled = "PodScheduled";
inline constexpr std::string_view kPodReady = "Ready";
inline constexpr std::string_view kPodInitialized = "Initialized";
inline constexpr std::string_view kContainersReady = "ContainersReady";
inline constexpr std::string_view kReadyToStartContainers = "PodReadyToStartContainers";
inline constexpr std::string_view kDisruptionTarget = "DisruptionTarget";
inline constexpr std::string_view kResizeInProgress = "PodResizeInProgress";
inline constexpr std::string_view kResizePending = "PodResizePending";

// Only the node writes such a condition; conditions of every other type are carried over unchanged.
[[nodiscard]] bool is_node_condition(std::string_view type);

struct ConditionInput {
  const api::Pod& pod;
  // Statuses of init and regular containers; null if there is no list at all.
  const std::vector<api::ContainerStatus>* statuses = nullptr;
  std::string_view phase{};
  const std::vector<RuntimeSandbox>& sandboxes;
  const std::vector<api::PodCondition>& gates;  // where readiness gates are looked up
};

[[nodiscard]] api::PodCondition ready_to_start_condition(const ConditionInput& input);
[[nodiscard]] api::PodCondition initialized_condition(const ConditionInput& input);
[[nodiscard]] api::PodCondition ready_condition(const ConditionInput& input);
[[nodiscard]] api::PodCondition containers_ready_condition(const ConditionInput& input);

[[nodiscard]] const api::PodCondition* find_condition(
    const std::vector<api::PodCondition>& conditions, std::string_view type);

}  // namespace berth::lifecycle
