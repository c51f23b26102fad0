// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/spread_columns.hpp"

#include <algorithm>

#include "scheduling/predicates/key_text.hpp"
#include "scheduling/predicates/taints.hpp"

namespace berth::scheduling {
namespace {

// Identifies the nodes that a constraint counts: the keys that they must have, and the policies.
std::string counted_key(const IncomingPod& pod, const SpreadConstraint& constraint,
                        std::span<const SpreadConstraint> all, SpreadColumns::MissingKeys missing) {
  KeyText key;
  if (missing == SpreadColumns::MissingKeys::kDoNotCount) {
    for (const SpreadConstraint& one : all) key.add(one.topology_key);
  }
  key.mark('|');
  if (constraint.affinity_policy == InclusionPolicy::kHonor) key.add(pod.affinity_key);
  key.mark('|');
  if (constraint.taints_policy == InclusionPolicy::kHonor) key.add(pod.tolerations_key).mark('t');
  return key.text();
}

}  // namespace

void SpreadColumns::trim() {
  counts_.trim();
  counted_.trim();
  sums_.trim();
}

void SpreadColumns::clear() {
  counts_.clear();
  counted_.clear();
  sums_.clear();
}

const PodCounts& SpreadColumns::counts(const Cluster& cluster, const IncomingPod& pod,
                                       SelectorId selector) {
  const NameId name = pod.info.namespace_;
  PodCounts& column = counts_.get(KeyText().add(name).add(selector).text());
  const Vocabulary& vocabulary = cluster.vocabulary();
  column.revise(cluster.changes(), cluster.node_slots(), [&](NodeIndex index) {
    std::int32_t count = 0;
    for (const NodePod& other : cluster.node(index).pods) {
      if (other.namespace_ == name && !other.terminating &&
          vocabulary.matches(selector, other.labels)) {
        ++count;
      }
    }
    return count;
  });
  return column;
}

const NodeFlags& SpreadColumns::counted(const Cluster& cluster, const IncomingPod& pod,
                                        const SpreadConstraint& constraint,
                                        std::span<const Topology* const> required,
                                        const std::string& key) {
  NodeFlags& column = counted_.get(key);
  column.revise(cluster.object_changes(), cluster.node_slots(), [&](NodeIndex index) {
    const NodeInfo& node = cluster.node(index);
    const bool has_keys =
        std::all_of(required.begin(), required.end(),
                    [&](const Topology* topology) { return (*topology)[index] != kNoDomain; });
    if (!node.present || !has_keys) return std::uint8_t{0};
    if (constraint.affinity_policy == InclusionPolicy::kHonor &&
        !pod.required_affinity.matches(node.identity())) {
      return std::uint8_t{0};
    }
    if (constraint.taints_policy == InclusionPolicy::kHonor &&
        first_forbidding_taint(node.facts.taints, pod.object->spec.tolerations) != nullptr) {
      return std::uint8_t{0};
    }
    return std::uint8_t{1};
  });
  return column;
}

std::vector<SpreadTerms> SpreadColumns::prepare(const Cluster& cluster, const IncomingPod& pod,
                                                std::span<const SpreadConstraint> constraints,
                                                MissingKeys missing, Topologies& topologies) {
  std::vector<const Topology*> required;
  if (missing == MissingKeys::kDoNotCount) {
    for (const SpreadConstraint& constraint : constraints) {
      required.push_back(&topologies.of(cluster, constraint.topology_key));
    }
  }
  std::vector<SpreadTerms> terms;
  for (const SpreadConstraint& constraint : constraints) {
    const std::string key = counted_key(pod, constraint, constraints, missing);
    SpreadTerms term{.constraint = &constraint,
                     .topology = &topologies.of(cluster, constraint.topology_key),
                     .counts = &counts(cluster, pod, constraint.selector),
                     .counted = &counted(cluster, pod, constraint, required, key)};
    Sums& sums = sums_.get(KeyText()
                               .add(key)
                               .add(constraint.topology_key)
                               .add(pod.info.namespace_)
                               .add(constraint.selector)
                               .text());
    sums.follower.follow(cluster.changes(), cluster.node_slots(), [&](NodeIndex node) {
      Domain domain = (*term.topology)[node];
      if (domain == kNoDomain && missing == MissingKeys::kAreEmpty) domain = kEmptyDomain;
      if ((*term.counted)[node] == 0) domain = kNoDomain;
      // A selector that matches every pod counts none of them.
      const std::int64_t count = constraint.is_empty_selector ? 0 : (*term.counts)[node];
      sums.tally.set(node, domain, count);
    });
    term.tally = &sums.tally;
    terms.push_back(term);
  }
  return terms;
}

}  // namespace berth::scheduling
