// SPDX-License-Identifier: Apache-2.0

// What a cluster's pods contribute, each at its own node, summed by topology key and domain.
//
// A pod's contribution is a pure function of the pod; only nodes whose pods changed are summed
// again. A node without the key contributes nothing to it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "scheduling/cluster/cluster.hpp"
#include "scheduling/cycle/domain_tally.hpp"
#include "scheduling/cycle/node_column.hpp"
#include "scheduling/cycle/topology.hpp"

namespace berth::scheduling {

class PodContributions {
 public:
  struct ByKey {
    NameId key = 0;
    const Topology* topology = nullptr;
    DomainTally tally{};
  };
  enum class Asked : std::uint8_t { kAllPods, kPodsWithTerms };

  // contribute(pod, emit) calls emit(key, amount) for each contribution of a NodePod.
  template <class Contribute>
  void revise(const Cluster& cluster, Topologies& topologies, Asked asked,
              Contribute&& contribute) {
    if (namespace_changes_ != cluster.namespace_changes()) follower_.start_over();
    namespace_changes_ = cluster.namespace_changes();
    for (const ByKey& known : by_key_) topologies.of(cluster, known.key);
    numbers_.resize(cluster.node_slots());
    follower_.follow(cluster.changes(), cluster.node_slots(), [&](NodeIndex index) {
      const NodeInfo& node = cluster.node(index);
      sums_.assign(by_key_.size(), 0);
      std::int64_t number = 0;
      const bool idle = asked == Asked::kPodsWithTerms && node.pods_with_terms == 0;
      const auto emit = [&](NameId key, std::int64_t amount) {
        const std::size_t place = place_of(cluster, topologies, key);
        if ((*by_key_[place].topology)[index] == kNoDomain) return;
        sums_[place] += amount;
        ++number;
      };
      if (node.present && !idle) {
        for (const NodePod& pod : node.pods) contribute(pod, emit);
      }
      settle(index, number);
    });
  }

  [[nodiscard]] const std::deque<ByKey>& by_key() const { return by_key_; }
  // Null if nothing was ever contributed under this key.
  [[nodiscard]] const ByKey* find(NameId key) const;
  // The number of contributions, regardless of their amounts.
  [[nodiscard]] std::int64_t number() const { return number_; }

 private:
  std::size_t place_of(const Cluster& cluster, Topologies& topologies, NameId key);
  void settle(NodeIndex node, std::int64_t number);

  std::deque<ByKey> by_key_{};
  std::vector<std::int64_t> sums_{};  // of the node being summed
  std::vector<std::int64_t> numbers_{};
  std::int64_t number_ = 0;
  LogFollower follower_{};
  std::uint64_t namespace_changes_ = 0;
};

}  // namespace berth::scheduling
