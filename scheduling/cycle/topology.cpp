// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/topology.hpp"

#include <algorithm>

namespace berth::scheduling {

Topology::Topology() {
  values_.intern("", [] { return std::string(); });
}

void Topology::revise(const Cluster& cluster, const std::string& key) {
  domains_.revise(cluster.object_changes(), cluster.node_slots(), [&](NodeIndex index) {
    const NodeInfo& node = cluster.node(index);
    const auto label = node.facts.labels.find(key);
    if (!node.present || label == node.facts.labels.end()) return kNoDomain;
    const std::string& value = label->second;
    return static_cast<Domain>(values_.intern(value, [&] { return value; }));
  });
}

bool Topologies::holds_too_much(std::size_t nodes) const {
  return topologies_.size() > kMost || std::ranges::any_of(topologies_, [&](const auto& one) {
           return one.second->size() > most_domains(nodes);
         });
}

const Topology& Topologies::of(const Cluster& cluster, NameId key) {
  auto& topology = topologies_[key];
  if (!topology) topology = std::make_unique<Topology>();
  topology->revise(cluster, cluster.vocabulary().text_of(key));
  return *topology;
}

}  // namespace berth::scheduling
