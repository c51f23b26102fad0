// Whether an event is worth another try of a pod that certain plugins rejected.
//
// Pure. Each plugin registers for the kinds of events that can change its mind, with a hint that
// looks closer; the registrations and hints are those of Kubernetes 1.34. A plugin that registered
// for new nodes and not for changed taints is asked again at every change of taints.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduling/predicates/node_affinity.hpp"
#include "scheduling/queue/cluster_event.hpp"
#include "scheduling/queue/pod_needs.hpp"

namespace berth::scheduling {

// By Kubernetes' names.
using PluginNames = std::set<std::string>;

// What a profile sets of that.
struct HintArguments {
  std::optional<NodeTerms> added_affinity{};  // required node affinity of NodeAffinityArgs
  // The DoNotSchedule ones of PodTopologySpreadArgs, for pods that state none.
  std::vector<api::TopologySpreadConstraint> default_constraints{};
};

// The plugin whose hint asks for another try of the pod; none if the event is nothing to it.
// Without a plugin that rejected it, a pod is tried again at everything.
struct RequeueReason {
  std::string plugin{};
};
[[nodiscard]] std::optional<RequeueReason> worth_requeuing(const api::Pod& pod,
                                                           const PodNeeds& needs,
                                                           const PluginNames& rejected_by,
                                                           const ClusterEvent& event,
                                                           const HintArguments& arguments);

// Whether a plugin has registered for this kind of event at all.
[[nodiscard]] bool is_registered(const std::string& plugin, const ClusterEvent& event);

}  // namespace berth::scheduling
