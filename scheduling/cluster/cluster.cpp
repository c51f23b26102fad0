// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/cluster.hpp"

#include <algorithm>
#include <utility>

#include "api/pod_resources.hpp"
#include "base/assertion.hpp"

namespace berth::scheduling {
namespace {

NodeFacts facts_of(const api::Node& node) {
  return {.labels = node.metadata.labels,
          .taints = node.spec.taints,
          .unschedulable = node.spec.unschedulable,
          .allocatable = amounts_of(node.status.allocatable),
          .allowed_pods = allowed_pods(node.status.allocatable)};
}

}  // namespace

Cluster::Cluster() {
  affinity_terms_.intern(AffinityTerms{}.to_key(), [] { return AffinityTerms{}; });
}

NodeIndex Cluster::slot_of_node(std::string_view name) {
  if (const auto known = node_by_name_.find(name); known != node_by_name_.end()) {
    return known->second;
  }
  const auto index = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back({.name = std::string(name)});
  node_by_name_.emplace(std::string(name), index);
  // The node does not exist yet; columns must see that as well.
  log_object(index);
  return index;
}

void Cluster::log_object(NodeIndex node) {
  changes_.objects.append(node, nodes_.size());
  log_pods(node);
}

void Cluster::log_pods(NodeIndex node) {
  changes_.nodes.append(node, nodes_.size());
}

void Cluster::set_node(const api::Node& object) {
  const NodeIndex index = slot_of_node(object.metadata.name);
  NodeInfo& node = nodes_[index];
  NodeFacts facts = facts_of(object);
  const bool same_images = node.present && node.stated_images == object.status.images;
  if (same_images && node.facts == facts) return;
  const std::string zone = zone_of(facts.labels);
  if (!node.present) {
    order_.add(index, zone);
  } else if (const std::string before = zone_of(node.facts.labels); before != zone) {
    order_.remove(index, before);
    order_.add(index, zone);
  }
  if (!same_images) {
    images_.remove_node(node.images);
    node.images = images_.add_node(object.status.images, vocabulary_);
    node.stated_images = object.status.images;
    ++changes_.images;
  }
  node.present = true;
  node.facts = std::move(facts);
  log_object(index);
}

void Cluster::remove_node(std::string_view name) {
  const auto index = find_node(name);
  if (!index) return;
  NodeInfo& node = nodes_[*index];
  order_.remove(*index, zone_of(node.facts.labels));
  images_.remove_node(node.images);
  ++changes_.images;
  node.present = false;
  node.facts = {};
  node.images.clear();
  node.stated_images.clear();
  log_object(*index);
}

void Cluster::add_pod(PodInfo info, std::string_view node_name) {
  remove_pod(info.key);
  const NodeIndex index = slot_of_node(node_name);
  auto slot = static_cast<PodSlot>(pods_.size());
  if (free_pod_slots_.empty()) {
    pods_.emplace_back();
  } else {
    slot = free_pod_slots_.back();
    free_pod_slots_.pop_back();
    assert_that(pods_[slot].info.key.empty(), "a free slot holds no pod", pods_[slot].info.key);
  }
  NodeInfo& node = nodes_[index];
  node.usage.add(info);
  node.pods.push_back({.slot = slot,
                       .namespace_ = info.namespace_,
                       .labels = info.labels,
                       .terms = info.terms,
                       .terminating = info.is_terminating()});
  if (info.terms != kNoAffinityTerms) ++node.pods_with_terms;
  pod_by_key_.emplace(info.key, slot);
  pods_[slot] = {.info = std::move(info), .node = index};
  log_pods(index);
}

void Cluster::remove_pod(std::string_view key) {
  const auto known = pod_by_key_.find(key);
  if (known == pod_by_key_.end()) return;
  const PodSlot slot = known->second;
  PlacedPod& placed = pods_[slot];
  NodeInfo& node = nodes_[placed.node];
  node.usage.remove(placed.info);
  std::erase_if(node.pods, [&](const NodePod& pod) { return pod.slot == slot; });
  if (!placed.info.ports.empty()) collect_ports(node);
  if (placed.info.terms != kNoAffinityTerms) --node.pods_with_terms;
  log_pods(placed.node);
  pod_by_key_.erase(known);
  placed = {};
  free_pod_slots_.push_back(slot);
}

// Recomputed, so that the result does not depend on pods that were added and removed again.
void Cluster::collect_ports(NodeInfo& node) const {
  node.usage.ports.clear();
  for (const NodePod& one : node.pods) {
    const std::vector<HostPort>& ports = pod(one.slot).ports;
    node.usage.ports.insert(node.usage.ports.end(), ports.begin(), ports.end());
  }
}

void Cluster::nominate(PodInfo pod, std::string_view node_name) {
  remove_nomination(pod.key);
  nominations_.push_back({.pod = std::move(pod), .node = slot_of_node(node_name)});
}

void Cluster::remove_nomination(std::string_view key) {
  std::erase_if(nominations_, [&](const Nomination& one) { return one.pod.key == key; });
}

void Cluster::set_namespace(const api::Namespace& object) {
  namespaces_[vocabulary_.name(object.metadata.name)] =
      vocabulary_.label_set(object.metadata.labels);
  ++changes_.namespaces;
}

void Cluster::remove_namespace(std::string_view name) {
  namespaces_.erase(vocabulary_.name(name));
  ++changes_.namespaces;
}

std::optional<NodeIndex> Cluster::find_node(std::string_view name) const {
  const auto known = node_by_name_.find(name);
  if (known == node_by_name_.end() || !nodes_[known->second].present) return std::nullopt;
  return known->second;
}

std::optional<LabelSetId> Cluster::namespace_labels(NameId name) const {
  const auto known = namespaces_.find(name);
  return known == namespaces_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace berth::scheduling
