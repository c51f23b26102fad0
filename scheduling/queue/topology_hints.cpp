// SPDX-License-Identifier: Apache-2.0

// Hints of the plugins that examine where other pods are: topology spread and pod affinity.
#include <algorithm>

#include "scheduling/queue/plugin_hints.hpp"

namespace berth::scheduling {
namespace {

bool is_unplaced(const api::Pod* pod) {
  return pod != nullptr && pod->spec.nodeName.empty();
}

// A pod's spread counts only pods in its namespace that have a node; changes of the pod itself
// count as well.
bool is_counted(const HintInput& input, const api::Pod* other) {
  if (other == nullptr || other->metadata.uid == input.pod.metadata.uid) return true;
  return !is_unplaced(other) && other->metadata.namespace_ == input.pod.metadata.namespace_;
}

bool topology_changed(const Labels& before, const Labels& after, const NeededSpreads& spread) {
  return std::ranges::any_of(spread.constraints, [&](const NeededSpread& constraint) {
    return before.at(constraint.topology_key) != after.at(constraint.topology_key);
  });
}

// Whether the key got a new value, or appeared.
bool has_new_value(const Labels& before, const Labels& after, const std::string& key) {
  const auto now = after.find(key);
  if (now == after.end()) return false;
  const auto then = before.find(key);
  return then == before.end() || then->second != now->second;
}

bool selection_changed(const NeededSpreads& spread, const Labels& before, const Labels& after) {
  return std::ranges::any_of(spread.constraints, [&](const NeededSpread& constraint) {
    return constraint.selector.matches(before) != constraint.selector.matches(after);
  });
}

bool any_honors_taints(const NeededSpreads& spread) {
  return std::ranges::any_of(spread.constraints, &NeededSpread::honors_taints);
}

}  // namespace

bool spread_pod_changed(const HintInput& input) {
  const api::Pod* before = input.event.old_pod.get();
  const api::Pod* after = input.event.new_pod.get();
  if (!is_counted(input, before) || !is_counted(input, after)) return false;
  const NeededSpreads& spread = input.needs.spread;
  if (!spread.problem.empty()) return true;
  if (before == nullptr) return spread.any_selects(after->metadata.labels);
  if (after == nullptr) return spread.any_selects(before->metadata.labels);
  const bool tolerates_other = before->spec.tolerations != after->spec.tolerations;
  if (input.is_about_itself() && tolerates_other && any_honors_taints(spread)) return true;
  return selection_changed(spread, before->metadata.labels, after->metadata.labels);
}

bool spread_node_changed(const HintInput& input) {
  const api::Node* before = input.event.old_node.get();
  const api::Node* after = input.event.new_node.get();
  const NeededSpreads& spread = input.needs.spread;
  if (!spread.problem.empty()) return true;
  const bool applied = before != nullptr && spread.all_apply_to(before->metadata.labels);
  const bool applies = after != nullptr && spread.all_apply_to(after->metadata.labels);
  if (before == nullptr || after == nullptr) return applied || applies;
  if (applied != applies) return true;
  if (!applies) return false;
  return topology_changed(before->metadata.labels, after->metadata.labels, spread) ||
         before->spec.taints != after->spec.taints;
}

bool affine_pod_changed(const HintInput& input) {
  const api::Pod* before = input.event.old_pod.get();
  const api::Pod* after = input.event.new_pod.get();
  if (is_unplaced(before) || is_unplaced(after)) return false;
  const NeededTerms& wanted = input.needs.affinity;
  const NeededTerms& shunned = input.needs.anti_affinity;
  if (!wanted.problem.empty() || !shunned.problem.empty()) return true;
  if (before == nullptr) return wanted.all_mean(*after);
  if (after == nullptr) return shunned.all_mean(*before);
  return (!wanted.all_mean(*before) && wanted.all_mean(*after)) ||
         (shunned.all_mean(*before) && !shunned.all_mean(*after));
}

bool affine_node_changed(const HintInput& input) {
  const NeededTerms& wanted = input.needs.affinity;
  const NeededTerms& shunned = input.needs.anti_affinity;
  if (!wanted.problem.empty() || !shunned.problem.empty()) return true;
  const Labels& after = input.event.new_node->metadata.labels;
  const api::Node* old = input.event.old_node.get();
  if (old == nullptr) {
    return !shunned.terms.empty() || std::ranges::any_of(wanted.terms, [&](const PodTerm& term) {
      return after.contains(term.topology_key);
    });
  }
  const Labels& before = old->metadata.labels;
  return std::ranges::any_of(wanted.terms,
                             [&](const PodTerm& term) {
                               return has_new_value(before, after, term.topology_key);
                             }) ||
         // A node also leaves the avoided pods' domain if it loses the key.
         std::ranges::any_of(shunned.terms, [&](const PodTerm& term) {
           const auto then = before.find(term.topology_key);
           if (then == before.end()) return false;
           const auto now = after.find(term.topology_key);
           return now == after.end() || now->second != then->second;
         });
}

}  // namespace berth::scheduling
