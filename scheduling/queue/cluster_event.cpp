// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/cluster_event.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "api/pod_resources.hpp"

namespace berth::scheduling {
namespace {

std::string_view name_of(EventResource resource) {
  switch (resource) {
    case EventResource::kNode:
      return "Node";
    case EventResource::kAssignedPod:
      return "AssignedPod";
    case EventResource::kUnscheduledPod:
      return "UnscheduledPod";
    case EventResource::kAny:
      break;
  }
  return "";
}

std::string_view name_of(EventAction action) {
  switch (action) {
    case EventAction::kAdd:
      return "Add";
    case EventAction::kDelete:
      return "Delete";
    case EventAction::kUpdateNodeAllocatable:
      return "UpdateNodeAllocatable";
    case EventAction::kUpdateNodeLabel:
      return "UpdateNodeLabel";
    case EventAction::kUpdateNodeTaint:
      return "UpdateNodeTaint";
    case EventAction::kUpdateNodeCondition:
      return "UpdateNodeCondition";
    case EventAction::kUpdateNodeAnnotation:
      return "UpdateNodeAnnotation";
    case EventAction::kUpdatePodLabel:
      return "UpdatePodLabel";
    case EventAction::kUpdatePodScaleDown:
      return "UpdatePodScaleDown";
    case EventAction::kUpdatePodToleration:
      return "UpdatePodToleration";
    case EventAction::kUpdatePodSchedulingGatesEliminated:
      return "UpdatePodSchedulingGatesEliminated";
    case EventAction::kUpdatePodOther:
      return "Update";
    case EventAction::kTimeout:
      return "UnschedulableTimeout";
  }
  return "";
}

// Only the status of conditions counts as a change; if a type occurs several times, the last one
// counts.
bool conditions_changed(const api::Node& before, const api::Node& after) {
  const auto by_type = [](const api::Node& node) {
    std::map<std::string, std::string> statuses;
    for (const api::NodeCondition& one : node.status.conditions) statuses[one.type] = one.status;
    return statuses;
  };
  return by_type(before) != by_type(after);
}

bool is_scaled_down(const api::Pod& before, const api::Pod& after) {
  const api::PodResourceOptions options{.use_status = true};
  const api::ResourceList now = api::pod_requests(after, options);
  return std::ranges::any_of(api::pod_requests(before, options), [&](const auto& request) {
    const auto found = now.find(request.first);
    return found == now.end() || request.second.milli_value() > found->second.milli_value();
  });
}

}  // namespace

std::string label_of(const ClusterEvent& event) {
  return std::string(name_of(event.resource)) + std::string(name_of(event.action));
}

ClusterEvent node_added(NodePtr node) {
  return {
      .resource = EventResource::kNode, .action = EventAction::kAdd, .new_node = std::move(node)};
}

ClusterEvent node_deleted(NodePtr node) {
  return {.resource = EventResource::kNode,
          .action = EventAction::kDelete,
          .old_node = std::move(node)};
}

ClusterEvent assigned_pod_added(PodPtr pod) {
  return {.resource = EventResource::kAssignedPod,
          .action = EventAction::kAdd,
          .new_pod = std::move(pod)};
}

ClusterEvent assigned_pod_deleted(PodPtr pod) {
  return {.resource = EventResource::kAssignedPod,
          .action = EventAction::kDelete,
          .old_pod = std::move(pod)};
}

ClusterEvent unschedulable_timeout() {
  return {.resource = EventResource::kAny, .action = EventAction::kTimeout};
}

std::vector<ClusterEvent> node_updated(const NodePtr& before, const NodePtr& after) {
  std::vector<ClusterEvent> events;
  const auto add_if = [&](bool changed, EventAction action) {
    if (!changed) return;
    events.push_back({.resource = EventResource::kNode,
                      .action = action,
                      .old_node = before,
                      .new_node = after});
  };
  add_if(before->spec.unschedulable && !after->spec.unschedulable, EventAction::kUpdateNodeTaint);
  add_if(before->status.allocatable != after->status.allocatable,
         EventAction::kUpdateNodeAllocatable);
  add_if(before->metadata.labels != after->metadata.labels, EventAction::kUpdateNodeLabel);
  add_if(before->spec.taints != after->spec.taints, EventAction::kUpdateNodeTaint);
  add_if(conditions_changed(*before, *after), EventAction::kUpdateNodeCondition);
  add_if(before->metadata.annotations != after->metadata.annotations,
         EventAction::kUpdateNodeAnnotation);
  return events;
}

std::vector<ClusterEvent> pod_updated(const PodPtr& before, const PodPtr& after) {
  const auto resource =
      after->spec.nodeName.empty() ? EventResource::kUnscheduledPod : EventResource::kAssignedPod;
  std::vector<ClusterEvent> events;
  const auto add_if = [&](bool changed, EventAction action) {
    if (!changed) return;
    events.push_back({.resource = resource, .action = action, .old_pod = before, .new_pod = after});
  };
  add_if(before->metadata.labels != after->metadata.labels, EventAction::kUpdatePodLabel);
  add_if(is_scaled_down(*before, *after), EventAction::kUpdatePodScaleDown);
  add_if(!before->spec.schedulingGates.empty() && after->spec.schedulingGates.empty(),
         EventAction::kUpdatePodSchedulingGatesEliminated);
  // Tolerations can only be added.
  add_if(before->spec.tolerations.size() != after->spec.tolerations.size(),
         EventAction::kUpdatePodToleration);
  add_if(events.empty(), EventAction::kUpdatePodOther);
  return events;
}

}  // namespace berth::scheduling
