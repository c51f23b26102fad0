// SPDX-License-Identifier: Apache-2.0

// Why a node could not take a pod, with the values that decided: the resources that are short and
// by how much, the taint, the port, the constraint with its counts, the topology key.
//
// Pure; about a scheduler's last decision.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"

namespace berth::scheduling {

struct SpreadReason {
  std::string topology_key{};
  std::string domain{};  // the node's value of the key; empty if it lacks the key
  SpreadFilter::Figures figures{};
};

struct PodAffinityReason {
  std::string topology_key{};
  std::string domain{};
};

struct NodeExplanation {
  // As reported by the cycle; Success if the node could take the pod.
  Status status{};
  // The values for the reason; all others are empty.
  std::vector<Shortage> shortages{};
  std::optional<api::Taint> taint{};
  std::optional<HostPort> port{};
  std::optional<SpreadReason> spread{};
  std::optional<PodAffinityReason> pod_affinity{};
};

[[nodiscard]] NodeExplanation explain(const Scheduler& scheduler, NodeIndex node);

}  // namespace berth::scheduling
