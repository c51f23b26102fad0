// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/placement_columns.hpp"

#include "scheduling/cycle/image_score.hpp"
#include "scheduling/cycle/resource_score.hpp"
#include "scheduling/predicates/key_text.hpp"
#include "scheduling/predicates/taints.hpp"

namespace berth::scheduling {
namespace {

std::string placement_key(const IncomingPod& pod) {
  return KeyText()
      .add(pod.tolerations_key)
      .add(pod.affinity_key)
      .add(pod.object->spec.nodeName)
      .text();
}

void add_amounts(KeyText& key, const ResourceAmounts& amounts) {
  key.add(amounts.milli_cpu).add(amounts.memory).add(amounts.ephemeral_storage);
  for (const ScalarAmount& scalar : amounts.scalars) key.add(scalar.name).add(scalar.amount);
  key.mark('|');
}

std::string resources_key(const IncomingPod& pod) {
  KeyText key;
  add_amounts(key, pod.requests);
  add_amounts(key, pod.scored_requests);
  return key.text();
}

std::string ports_key(const std::vector<HostPort>& ports) {
  KeyText key;
  for (const HostPort& port : ports) key.add(port.ip).add(port.protocol).add(port.port);
  return key.text();
}

}  // namespace

Rejections placement_rejections(const NodeInfo& node, const IncomingPod& pod,
                                const NodeTerms* added) {
  if (!node.present) return bit_of(Rejection::kAbsent);
  const api::PodSpec& spec = pod.object->spec;
  const bool closed = node.facts.unschedulable && !tolerates_unschedulable(spec.tolerations);
  const bool elsewhere = !spec.nodeName.empty() && spec.nodeName != node.name;
  const bool tainted = first_forbidding_taint(node.facts.taints, spec.tolerations) != nullptr;
  const bool enforced = added == nullptr || added->matches(node.identity());
  const bool matched = pod.required_affinity.matches(node.identity());
  return static_cast<Rejections>(
      bit_if(closed, Rejection::kUnschedulable) | bit_if(elsewhere, Rejection::kNodeName) |
      bit_if(tainted, Rejection::kTaint) | bit_if(!enforced, Rejection::kAddedAffinity) |
      bit_if(!matched, Rejection::kAffinity));
}

Rejections port_rejections(const NodeUsage& usage, const IncomingPod& pod) {
  return bit_if(first_conflict(pod.info.ports, usage.ports) != nullptr, Rejection::kPorts);
}

Rejections resource_rejections(const NodeFacts& facts, const NodeUsage& usage,
                               const IncomingPod& pod) {
  switch (fit(pod.filtered_requests, room_of(facts, usage))) {
    case Fit::kFits:
      return 0;
    case Fit::kShort:
      return bit_of(Rejection::kResources);
    case Fit::kUnresolvable:
      return bit_of(Rejection::kResourcesUnresolvable);
  }
  return 0;
}

void ResourceColumn::revise(const Cluster& cluster, const IncomingPod& pod,
                            const Profile& profile) {
  const std::size_t count = cluster.node_slots();
  rejections_.resize(count);
  fit_scores_.resize(count);
  balanced_scores_.resize(count);
  follower_.follow(cluster.changes(), count, [&](NodeIndex index) {
    const NodeInfo& node = cluster.node(index);
    const NodeFacts& facts = node.facts;
    const NodeUsage& usage = node.usage;
    rejections_[index] = resource_rejections(facts, usage, pod);
    fit_scores_[index] = static_cast<std::uint8_t>(
        fit_score(profile.fit.scoringStrategy, pod.scored_requests, facts, usage));
    balanced_scores_[index] = static_cast<std::uint8_t>(
        balanced_score(profile.balanced_allocation.resources, pod.requests, facts, usage));
  });
}

PlacementColumns::PlacementColumns(const Profile& profile) : profile_(profile) {
  const auto& added = profile.node_affinity.addedAffinity;
  if (added && added->requiredDuringSchedulingIgnoredDuringExecution) {
    added_affinity_.emplace(*added->requiredDuringSchedulingIgnoredDuringExecution);
  }
}

void PlacementColumns::trim() {
  placement_.trim();
  ports_.trim();
  resources_.trim();
  taints_.trim();
  preferred_.trim();
  images_.trim();
}

const NodeColumn<Rejections>& PlacementColumns::placement(const Cluster& cluster,
                                                          const IncomingPod& pod) {
  auto& column = placement_.get(placement_key(pod));
  const NodeTerms* terms = added_affinity_ ? &*added_affinity_ : nullptr;
  column.revise(cluster.object_changes(), cluster.node_slots(), [&](NodeIndex index) {
    return placement_rejections(cluster.node(index), pod, terms);
  });
  return column;
}

const NodeColumn<Rejections>* PlacementColumns::ports(const Cluster& cluster,
                                                      const IncomingPod& pod) {
  if (pod.info.ports.empty()) return nullptr;
  auto& column = ports_.get(ports_key(pod.info.ports));
  column.revise(cluster.changes(), cluster.node_slots(),
                [&](NodeIndex index) { return port_rejections(cluster.node(index).usage, pod); });
  return &column;
}

const ResourceColumn& PlacementColumns::resources(const Cluster& cluster, const IncomingPod& pod) {
  ResourceColumn& column = resources_.get(resources_key(pod));
  column.revise(cluster, pod, profile_);
  return column;
}

const NodeColumn<std::int64_t>& PlacementColumns::intolerable_taints(const Cluster& cluster,
                                                                     const IncomingPod& pod) {
  auto& column = taints_.get(pod.tolerations_key);
  column.revise(cluster.object_changes(), cluster.node_slots(), [&](NodeIndex index) {
    return count_intolerable_preferences(cluster.node(index).facts.taints,
                                         pod.object->spec.tolerations);
  });
  return column;
}

const NodeColumn<std::int64_t>& PlacementColumns::preferred_affinity(
    const Cluster& cluster, const IncomingPod& pod, const PreferredNodeTerms& added) {
  auto& column = preferred_.get(pod.preferred_key);
  column.revise(cluster.object_changes(), cluster.node_slots(), [&](NodeIndex index) {
    const NodeIdentity node = cluster.node(index).identity();
    return added.weight(node) + pod.preferred_affinity->weight(node);
  });
  return column;
}

const NodeColumn<std::uint8_t>& PlacementColumns::images(const Cluster& cluster,
                                                         const IncomingPod& pod) {
  KeyText key;
  for (const NameId image : pod.images) key.add(image);
  ImageColumn& column = images_.get(key.text());
  const std::size_t nodes = cluster.node_order().size();
  if (column.image_changes != cluster.image_changes() || column.nodes != nodes) {
    column.scores.start_over();
    column.image_changes = cluster.image_changes();
    column.nodes = nodes;
  }
  column.scores.revise(cluster.object_changes(), cluster.node_slots(), [&](NodeIndex index) {
    return static_cast<std::uint8_t>(
        image_score(pod.images, cluster.node(index), cluster.images(), nodes));
  });
  return column.scores;
}

}  // namespace berth::scheduling
