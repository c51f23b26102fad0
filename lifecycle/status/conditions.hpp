// SPDX-License-Identifier: Apache-2.0

// The conditions of a pod that the node decides on. Transition times are not set here (see
// status_stamp.hpp). Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/reasons.hpp"
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
  const api::PodStatus& previous;
};

[[nodiscard]] api::PodCondition ready_to_start_condition(const ConditionInput& input);
[[nodiscard]] api::PodCondition initialized_condition(const ConditionInput& input);
[[nodiscard]] api::PodCondition ready_condition(const ConditionInput& input);
[[nodiscard]] api::PodCondition containers_ready_condition(const ConditionInput& input);

[[nodiscard]] const api::PodCondition* find_condition(
    const std::vector<api::PodCondition>& conditions, std::string_view type);

// --- who is ready: containers by their probes, the pod by its containers and gates ---------------

// A condition without its times.
struct ConditionWord {
  std::string status{};
  std::string reason{};
  std::string message{};

  bool operator==(const ConditionWord&) const = default;
};

struct ReadinessQuestion {
  RefOrValue<api::Pod> pod{};
  // Statuses of init and regular containers, before probe results are merged.
  std::vector<api::ContainerStatus> statuses{};
  ProbeResults probes{};
  std::string phase{};
  std::map<std::string, ConditionWord> gates{};  // by type: what readiness gates ask for
};

struct ContainerReadiness {
  bool started = false;
  bool ready = false;

  bool operator==(const ContainerReadiness&) const = default;
};

struct ReadinessDecision {
  std::map<std::string, ContainerReadiness> containers{};  // regular ones and sidecars, by name
  std::map<std::string, ConditionWord> conditions{};       // Initialized, ContainersReady, Ready
};

[[nodiscard]] ReadinessDecision decide_readiness(const ReadinessQuestion& question);

// The readiness that `status` shows.
[[nodiscard]] ReadinessDecision readiness_in(const api::Pod& pod, const api::PodStatus& status);
// Whether two statuses of a pod show the same readiness.
[[nodiscard]] bool same_readiness(const api::PodStatus& one, const api::PodStatus& other);

// Why, as clauses: for the pod, then for each container that is not ready.
[[nodiscard]] Reasons readiness_reasons(const ReadinessQuestion& question,
                                        const ReadinessDecision& decision);

// The part of the question that decide_readiness reads.
[[nodiscard]] ReadinessQuestion readiness_part(const ReadinessQuestion& question);

}  // namespace berth::lifecycle
