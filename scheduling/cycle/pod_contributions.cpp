// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/pod_contributions.hpp"

namespace berth::scheduling {

const PodContributions::ByKey* PodContributions::find(NameId key) const {
  for (const ByKey& known : by_key_) {
    if (known.key == key) return &known;
  }
  return nullptr;
}

std::size_t PodContributions::place_of(const Cluster& cluster, Topologies& topologies, NameId key) {
  for (std::size_t place = 0; place < by_key_.size(); ++place) {
    if (by_key_[place].key == key) return place;
  }
  by_key_.push_back({.key = key, .topology = &topologies.of(cluster, key)});
  sums_.push_back(0);
  return by_key_.size() - 1;
}

void PodContributions::settle(NodeIndex node, std::int64_t number) {
  number_ += number - numbers_[node];
  numbers_[node] = number;
  for (std::size_t place = 0; place < by_key_.size(); ++place) {
    ByKey& known = by_key_[place];
    const Domain domain = sums_[place] == 0 ? kNoDomain : (*known.topology)[node];
    known.tally.set(node, domain, sums_[place]);
  }
}

}  // namespace berth::scheduling
