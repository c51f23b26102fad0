// SPDX-License-Identifier: Apache-2.0

// The plugins' hints: each decides whether one event may let a pod pass the plugin's filter.
//
// Pure. Called only for events for which the plugin is registered (requeue_hint).
#pragma once

#include "scheduling/queue/requeue_hint.hpp"

namespace berth::scheduling {

struct HintInput {
  const api::Pod& pod;
  const PodNeeds& needs;
  const ClusterEvent& event;
  const HintArguments& arguments;

  // Whether the event is a change of the waiting pod itself.
  [[nodiscard]] bool is_about_itself() const {
    return event.new_pod != nullptr && event.new_pod->metadata.uid == pod.metadata.uid;
  }
};

using Hint = bool (*)(const HintInput& input);

[[nodiscard]] bool always(const HintInput& input);
[[nodiscard]] bool own_change(const HintInput& input);

// NodeUnschedulable
[[nodiscard]] bool node_became_schedulable(const HintInput& input);
[[nodiscard]] bool own_toleration_of_unschedulable(const HintInput& input);
// TaintToleration
[[nodiscard]] bool node_became_tolerable(const HintInput& input);
// NodeAffinity
[[nodiscard]] bool node_came_to_match(const HintInput& input);
// NodePorts
[[nodiscard]] bool port_was_freed(const HintInput& input);
// NodeResourcesFit
[[nodiscard]] bool pod_freed_resources(const HintInput& input);
[[nodiscard]] bool node_grew_enough(const HintInput& input);
// PodTopologySpread
[[nodiscard]] bool spread_pod_changed(const HintInput& input);
[[nodiscard]] bool spread_node_changed(const HintInput& input);
// InterPodAffinity
[[nodiscard]] bool affine_pod_changed(const HintInput& input);
[[nodiscard]] bool affine_node_changed(const HintInput& input);

}  // namespace berth::scheduling
