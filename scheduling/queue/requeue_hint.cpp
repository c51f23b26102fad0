// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/requeue_hint.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "scheduling/queue/plugin_hints.hpp"

namespace berth::scheduling {
namespace {

using enum EventAction;

enum class About : std::uint8_t { kNode, kPod };

constexpr std::uint32_t bit(EventAction action) {
  return static_cast<std::uint32_t>(action);
}
template <class... Actions>
constexpr std::uint32_t any_of_actions(Actions... actions) {
  return (bit(actions) | ...);
}

struct Registration {
  std::string_view plugin{};
  About about = About::kNode;
  std::uint32_t actions = 0;
  Hint hint = nullptr;
};

constexpr std::array<Registration, 18> kRegistrations = {{
    {"SchedulingGates", About::kPod, bit(kUpdatePodSchedulingGatesEliminated), own_change},
    {"NodeUnschedulable", About::kNode, any_of_actions(kAdd, kUpdateNodeTaint),
     node_became_schedulable},
    {"NodeUnschedulable", About::kPod, bit(kUpdatePodToleration), own_toleration_of_unschedulable},
    {"NodeName", About::kNode, any_of_actions(kAdd, kUpdateNodeTaint), always},
    {"TaintToleration", About::kNode, any_of_actions(kAdd, kUpdateNodeTaint),
     node_became_tolerable},
    {"TaintToleration", About::kPod, bit(kUpdatePodToleration), own_change},
    {"NodeAffinity", About::kNode, any_of_actions(kAdd, kUpdateNodeLabel), node_came_to_match},
    {"NodeAffinity", About::kNode, bit(kUpdateNodeTaint), always},
    {"NodePorts", About::kNode, any_of_actions(kAdd, kUpdateNodeTaint), always},
    {"NodePorts", About::kPod, bit(kDelete), port_was_freed},
    {"NodeResourcesFit", About::kNode, any_of_actions(kAdd, kUpdateNodeAllocatable),
     node_grew_enough},
    {"NodeResourcesFit", About::kNode, bit(kUpdateNodeTaint), always},
    {"NodeResourcesFit", About::kPod, any_of_actions(kDelete, kUpdatePodScaleDown),
     pod_freed_resources},
    {"PodTopologySpread", About::kPod,
     any_of_actions(kAdd, kUpdatePodLabel, kDelete, kUpdatePodToleration), spread_pod_changed},
    {"PodTopologySpread", About::kNode,
     any_of_actions(kAdd, kDelete, kUpdateNodeLabel, kUpdateNodeTaint), spread_node_changed},
    {"InterPodAffinity", About::kPod, any_of_actions(kAdd, kUpdatePodLabel, kDelete),
     affine_pod_changed},
    {"InterPodAffinity", About::kNode, any_of_actions(kAdd, kUpdateNodeLabel), affine_node_changed},
    {"InterPodAffinity", About::kNode, bit(kUpdateNodeTaint), always},
}};

bool covers(const Registration& registration, const ClusterEvent& event) {
  const bool about_node = event.resource == EventResource::kNode;
  return (registration.about == About::kNode) == about_node &&
         (registration.actions & bit(event.action)) != 0;
}

}  // namespace

bool is_registered(const std::string& plugin, const ClusterEvent& event) {
  return std::ranges::any_of(kRegistrations, [&](const Registration& registration) {
    return registration.plugin == plugin && covers(registration, event);
  });
}

std::optional<RequeueReason> worth_requeuing(const api::Pod& pod, const PodNeeds& needs,
                                             const PluginNames& rejected_by,
                                             const ClusterEvent& event,
                                             const HintArguments& arguments) {
  if (rejected_by.empty() || event.resource == EventResource::kAny) return RequeueReason{};
  const HintInput input{.pod = pod, .needs = needs, .event = event, .arguments = arguments};
  for (const Registration& registration : kRegistrations) {
    const std::string plugin(registration.plugin);
    if (!covers(registration, event) || !rejected_by.contains(plugin)) continue;
    if (registration.hint(input)) return RequeueReason{.plugin = plugin};
  }
  return std::nullopt;
}

}  // namespace berth::scheduling
