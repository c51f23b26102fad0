// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/conditions.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/pod_spec.hpp"
#include "lifecycle/sandbox_need.hpp"
#include "lifecycle/status/container_statuses.hpp"

namespace berth::lifecycle {
namespace {

using Names = std::vector<std::string_view>;

api::PodCondition condition(const api::Pod& pod, std::string_view type, bool holds,
                            std::string_view reason = "", std::string message = "") {
  return api::PodCondition{.type = std::string(type),
                           .observedGeneration = pod.metadata.generation,
                           .status = holds ? "True" : "False",
                           .reason = std::string(reason),
                           .message = std::move(message)};
}

std::string complaint(const Names& unknown, const Names& lacking, std::string_view lacks) {
  std::string text;
  if (!unknown.empty()) {
    text = fmt::format("containers with unknown status: [{}]", fmt::join(unknown, " "));
  }
  if (!lacking.empty()) {
    if (!text.empty()) text += ", ";
    text += fmt::format("containers with {} status: [{}]", lacks, fmt::join(lacking, " "));
  }
  return text;
}

// Whether some regular container has run: then the init containers are done, whatever their
// statuses.
bool has_run(const ConditionInput& input) {
  return std::ranges::any_of(input.pod.spec.containers, [&](const api::Container& container) {
    const api::ContainerStatus* status = find_status(*input.statuses, container.name);
    return status != nullptr && (status->state.running || status->state.terminated);
  });
}

// The common part of ContainersReady and Ready, as a condition of that type.
api::PodCondition readiness(const ConditionInput& input, std::string_view type) {
  if (input.statuses == nullptr) {
    return condition(input.pod, type, false, "UnknownContainerStatuses");
  }
  Names unknown;
  Names unready;
  const auto consider = [&](const api::Container& container) {
    const api::ContainerStatus* status = find_status(*input.statuses, container.name);
    if (status == nullptr) {
      unknown.push_back(container.name);
    } else if (!status->ready) {
      unready.push_back(container.name);
    }
  };
  for (const api::Container& container : input.pod.spec.initContainers) {
    if (is_sidecar(container)) consider(container);
  }
  for (const api::Container& container : input.pod.spec.containers) consider(container);

  if (input.phase == kSucceeded && unknown.empty()) {
    return condition(input.pod, type, false, "PodCompleted");
  }
  if (input.phase == kFailed) return condition(input.pod, type, false, "PodFailed");
  std::string message = complaint(unknown, unready, "unready");
  if (!message.empty()) {
    return condition(input.pod, type, false, "ContainersNotReady", std::move(message));
  }
  return condition(input.pod, type, true);
}

std::string gate_complaints(const ConditionInput& input) {
  std::vector<std::string> complaints;
  for (const api::PodReadinessGate& gate : input.pod.spec.readinessGates) {
    const api::PodCondition* found = find_condition(input.gates, gate.conditionType);
    if (found == nullptr) {
      complaints.push_back(
          fmt::format("corresponding condition of pod readiness gate \"{}\" does not exist.",
                      gate.conditionType));
    } else if (found->status != "True") {
      complaints.push_back(
          fmt::format(R"(the status of pod readiness gate "{}" is not "True", but {})",
                      gate.conditionType, found->status));
    }
  }
  return fmt::format("{}", fmt::join(complaints, ", "));
}

}  // namespace

bool is_node_condition(std::string_view type) {
  constexpr std::array kOwned = {kPodScheduled,          kPodReady,      kPodInitialized,
                                 kContainersReady,       kResizePending, kResizeInProgress,
                                 kReadyToStartContainers};
  return std::ranges::find(kOwned, type) != kOwned.end();
}

api::PodCondition ready_to_start_condition(const ConditionInput& input) {
  const bool in_place = !sandbox_need(input.pod, input.sandboxes).needed;
  return condition(input.pod, kReadyToStartContainers, in_place);
}

api::PodCondition initialized_condition(const ConditionInput& input) {
  const auto& init_containers = input.pod.spec.initContainers;
  if (input.statuses == nullptr && !init_containers.empty()) {
    return condition(input.pod, kPodInitialized, false, "UnknownContainerStatuses");
  }
  Names unknown;
  Names incomplete;
  for (const api::Container& container : init_containers) {
    const api::ContainerStatus* status = find_status(*input.statuses, container.name);
    if (status == nullptr) {
      unknown.push_back(container.name);
    } else if (is_sidecar(container) ? !status->started.value_or(false) : !status->ready) {
      incomplete.push_back(container.name);
    }
  }
  if (input.phase == kSucceeded && unknown.empty()) {
    return condition(input.pod, kPodInitialized, true, "PodCompleted");
  }
  std::string message = complaint(unknown, incomplete, "incomplete");
  if (message.empty() || has_run(input)) return condition(input.pod, kPodInitialized, true);
  return condition(input.pod, kPodInitialized, false, "ContainersNotInitialized",
                   std::move(message));
}

api::PodCondition containers_ready_condition(const ConditionInput& input) {
  return readiness(input, kContainersReady);
}

api::PodCondition ready_condition(const ConditionInput& input) {
  api::PodCondition out = readiness(input, kPodReady);
  if (out.status != "True") return out;
  std::string complaints = gate_complaints(input);
  if (complaints.empty()) return out;
  return condition(input.pod, kPodReady, false, "ReadinessGatesNotReady", std::move(complaints));
}

const api::PodCondition* find_condition(const std::vector<api::PodCondition>& conditions,
                                        std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &api::PodCondition::type);
  return found == conditions.end() ? nullptr : &*found;
}

}  // namespace berth::lifecycle
