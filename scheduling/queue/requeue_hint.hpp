// SPDX-License-Identifier: Apache-2.0

// Whether an event justifies retrying a pod that certain plugins rejected.
//
// Pure. Each plugin registers for the kinds of events that may change its verdict, with a hint that
// examines the event; the registrations and hints are those of Kubernetes 1.34. A plugin that is
// registered for new nodes but not for changed taints is also consulted at every change of taints.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduling/predicates/node_affinity.hpp"
#include "scheduling/queue/cluster_event.hpp"
#include "scheduling/queue/pod_needs.hpp"

namespace berth::scheduling {

// Plugins by their Kubernetes names.
using PluginNames = std::set<std::string>;

// A profile's settings for hints.
struct HintArguments {
  std::optional<NodeTerms> added_affinity{};  // required node affinity of NodeAffinityArgs
  // The DoNotSchedule constraints of PodTopologySpreadArgs, for pods without any.
  std::vector<api::TopologySpreadConstraint> default_constraints{};
};

// The plugin whose hint asks for a retry of the pod; unset if the event does not matter to the pod.
// A pod that no plugin rejected is retried at every event.
struct RequeueReason {
  std::string plugin{};
};
[[nodiscard]] std::optional<RequeueReason> worth_requeuing(const api::Pod& pod,
                                                           const PodNeeds& needs,
                                                           const PluginNames& rejected_by,
                                                           const ClusterEvent& event,
                                                           const HintArguments& arguments);

// Whether a plugin has registered for this kind of event.
[[nodiscard]] bool is_registered(const std::string& plugin, const ClusterEvent& event);

}  // namespace berth::scheduling
