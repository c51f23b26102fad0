// SPDX-License-Identifier: Apache-2.0

// Hints of the plugins that examine only one node and one pod.
#include <algorithm>

#include "api/pod_resources.hpp"
#include "scheduling/predicates/taints.hpp"
#include "scheduling/queue/plugin_hints.hpp"

namespace berth::scheduling {
namespace {

bool is_tolerable(const api::Node* node, const api::Pod& pod) {
  return node != nullptr &&
         first_forbidding_taint(node->spec.taints, pod.spec.tolerations) == nullptr;
}

// A pod counts as present once a node is nominated for it.
bool takes_room(const api::Pod& pod) {
  return !pod.spec.nodeName.empty() || !pod.status.nominatedNodeName.empty();
}

ResourceAmounts charged(const api::Pod& pod) {
  return amounts_of(api::pod_requests(pod, {.use_status = true}));
}

// Whether a wanted resource has increased.
bool any_exceeds(const ResourceAmounts& more, const ResourceAmounts& less,
                 const ResourceAmounts& wanted) {
  const auto exceeds = [&](std::int64_t want, std::int64_t a, std::int64_t b) {
    return want > 0 && a > b;
  };
  if (exceeds(wanted.milli_cpu, more.milli_cpu, less.milli_cpu)) return true;
  if (exceeds(wanted.memory, more.memory, less.memory)) return true;
  if (exceeds(wanted.ephemeral_storage, more.ephemeral_storage, less.ephemeral_storage)) {
    return true;
  }
  return std::ranges::any_of(wanted.scalars, [&](const ScalarAmount& scalar) {
    return exceeds(scalar.amount, more.scalar(scalar.name), less.scalar(scalar.name));
  });
}

}  // namespace

bool always(const HintInput& /*input*/) {
  return true;
}

bool own_change(const HintInput& input) {
  return input.is_about_itself();
}

bool node_became_schedulable(const HintInput& input) {
  const api::Node* before = input.event.old_node.get();
  return !input.event.new_node->spec.unschedulable &&
         (before == nullptr || before->spec.unschedulable);
}

bool own_toleration_of_unschedulable(const HintInput& input) {
  return input.is_about_itself() && tolerates_unschedulable(input.event.new_pod->spec.tolerations);
}

bool node_became_tolerable(const HintInput& input) {
  return is_tolerable(input.event.new_node.get(), input.pod) &&
         !is_tolerable(input.event.old_node.get(), input.pod);
}

bool node_came_to_match(const HintInput& input) {
  const api::Node& after = *input.event.new_node;
  const api::Node* before = input.event.old_node.get();
  const auto& added = input.arguments.added_affinity;
  if (added && !added->matches(identity_of(after))) return false;
  const RequiredNodeAffinity& required = input.needs.node_affinity;
  const NodeMatch now = required.match(identity_of(after));
  // An invalid term is an error, and after an error the pod is tried again.
  if (now != NodeMatch::kYes) return now == NodeMatch::kBroken;
  return before == nullptr || !required.matches(identity_of(*before));
}

bool port_was_freed(const HintInput& input) {
  const api::Pod& gone = *input.event.old_pod;
  return takes_room(gone) && first_conflict(input.needs.ports, host_ports(gone)) != nullptr;
}

bool pod_freed_resources(const HintInput& input) {
  const api::Pod& before = *input.event.old_pod;
  if (input.event.new_pod == nullptr) return takes_room(before);
  if (input.is_about_itself()) return true;
  const api::Pod& after = *input.event.new_pod;
  return !after.spec.nodeName.empty() &&
         any_exceeds(charged(before), charged(after), input.needs.requests);
}

bool node_grew_enough(const HintInput& input) {
  const ResourceAmounts& wanted = input.needs.requests;
  const api::ResourceList& after = input.event.new_node->status.allocatable;
  const ResourceAmounts now = amounts_of(after);
  const ResourceAmounts none;
  const NodeRoom empty{.allocatable = now, .used = none, .allowed_pods = allowed_pods(after)};
  if (fit(wanted, empty) != Fit::kFits) return false;
  if (input.event.old_node == nullptr) return true;
  const api::ResourceList& before = input.event.old_node->status.allocatable;
  return allowed_pods(after) > allowed_pods(before) || any_exceeds(now, amounts_of(before), wanted);
}

}  // namespace berth::scheduling
