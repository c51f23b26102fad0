// SPDX-License-Identifier: Apache-2.0

// Changes in the cluster that may make an unschedulable pod schedulable.
//
// Pure. A change of an object is split into the kinds of change that the scheduler distinguishes
// (as in Kubernetes 1.34): an update of a node's labels and taints is two events. Objects are
// shared, as an event outlives its handling while pods are in flight.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"

namespace berth::scheduling {

enum class EventResource : std::uint8_t {
  kNode,
  kAssignedPod,     // it has a node
  kUnscheduledPod,  // it has no node yet
  kAny,             // every pod is tried again
};

enum class EventAction : std::uint16_t {
  kAdd = 1U << 0U,
  kDelete = 1U << 1U,
  kUpdateNodeAllocatable = 1U << 2U,
  kUpdateNodeLabel = 1U << 3U,
  kUpdateNodeTaint = 1U << 4U,  // including the end of spec.unschedulable
  kUpdateNodeCondition = 1U << 5U,
  kUpdateNodeAnnotation = 1U << 6U,
  kUpdatePodLabel = 1U << 7U,
  kUpdatePodScaleDown = 1U << 8U,
  kUpdatePodToleration = 1U << 9U,
  kUpdatePodSchedulingGatesEliminated = 1U << 10U,
  kUpdatePodOther = 1U << 11U,  // none of these
  kTimeout = 1U << 12U,         // a pod has been unschedulable for too long
};

using PodPtr = std::shared_ptr<const api::Pod>;
using NodePtr = std::shared_ptr<const api::Node>;

struct ClusterEvent {
  EventResource resource = EventResource::kAny;
  EventAction action = EventAction::kTimeout;
  // The resource before and after the change; null before an add and after a delete.
  PodPtr old_pod{};
  PodPtr new_pod{};
  NodePtr old_node{};
  NodePtr new_node{};
};

// The name used by Kubernetes in metrics and logs: NodeAdd, AssignedPodDelete,
// UnschedulableTimeout.
[[nodiscard]] std::string label_of(const ClusterEvent& event);

[[nodiscard]] ClusterEvent node_added(NodePtr node);
[[nodiscard]] ClusterEvent node_deleted(NodePtr node);
[[nodiscard]] ClusterEvent assigned_pod_added(PodPtr pod);
[[nodiscard]] ClusterEvent assigned_pod_deleted(PodPtr pod);
[[nodiscard]] ClusterEvent unschedulable_timeout();

// One event per relevant kind of change; none if nothing relevant changed.
[[nodiscard]] std::vector<ClusterEvent> node_updated(const NodePtr& before, const NodePtr& after);
// The same for a pod, assigned or not; always at least one.
[[nodiscard]] std::vector<ClusterEvent> pod_updated(const PodPtr& before, const PodPtr& after);

}  // namespace berth::scheduling
