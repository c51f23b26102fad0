// SPDX-License-Identifier: Apache-2.0

// How the node shows pressure: the conditions of its status, the corresponding taints, and the
// events about changes.
//
// Pure; reasons and messages are the kubelet's.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/affinity.hpp"
#include "api/node.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

// node.kubernetes.io/memory-pressure:NoSchedule, …
[[nodiscard]] api::Taint pressure_taint(PressureCondition condition);

struct PressureShown {
  std::vector<api::NodeCondition> conditions{};  // MemoryPressure, DiskPressure, PIDPressure
  // Reasons of the Normal events about changes: NodeHasInsufficientMemory, …
  std::vector<std::string> events{};
};

// `shown`: the node's conditions so far; only these three are considered. Reason, message and
// lastTransitionTime change only with the status, lastHeartbeatTime always. A condition that was
// never shown before gets an event too.
[[nodiscard]] PressureShown pressure_conditions(const std::set<PressureCondition>& present,
                                                const std::vector<api::NodeCondition>& shown,
                                                api::Time now);

// "Node <name> status is now: <event>".
[[nodiscard]] std::string status_event_message(std::string_view node, std::string_view event);

}  // namespace berth::eviction
