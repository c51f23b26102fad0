// SPDX-License-Identifier: Apache-2.0

// What PodTopologySpread counts: the pods per node that match a selector, and their sums per
// topology domain.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "scheduling/cycle/column_cache.hpp"
#include "scheduling/cycle/domain_tally.hpp"
#include "scheduling/cycle/incoming_pod.hpp"
#include "scheduling/cycle/node_column.hpp"
#include "scheduling/cycle/topology.hpp"

namespace berth::scheduling {

using PodCounts = NodeColumn<std::int32_t>;
using NodeFlags = NodeColumn<std::uint8_t>;

// A constraint of the pod with all its inputs. Does not own what it points to.
struct SpreadTerms {
  const SpreadConstraint* constraint = nullptr;
  const Topology* topology = nullptr;
  const PodCounts* counts = nullptr;   // pods on the node itself
  const NodeFlags* counted = nullptr;  // which nodes the sums include
  const DomainTally* tally = nullptr;
};

class SpreadColumns {
 public:
  // Nodes that lack the key of any constraint do not count, unless missing keys are tolerated: then
  // a node without the key is in the domain of the empty value.
  enum class MissingKeys : std::uint8_t { kDoNotCount, kAreEmpty };
  [[nodiscard]] std::vector<SpreadTerms> prepare(const Cluster& cluster, const IncomingPod& pod,
                                                 std::span<const SpreadConstraint> constraints,
                                                 MissingKeys missing, Topologies& topologies);

  // Must be called between decisions: drops columns not used recently, or all.
  void trim();
  void clear();

 private:
  struct Sums {
    DomainTally tally{};
    LogFollower follower{};
  };
  static constexpr std::size_t kMost = 256;  // columns per kind

  const PodCounts& counts(const Cluster& cluster, const IncomingPod& pod, SelectorId selector);
  const NodeFlags& counted(const Cluster& cluster, const IncomingPod& pod,
                           const SpreadConstraint& constraint,
                           std::span<const Topology* const> required, const std::string& key);

  ColumnCache<PodCounts> counts_{kMost};
  ColumnCache<NodeFlags> counted_{kMost};
  ColumnCache<Sums> sums_{kMost};
};

}  // namespace berth::scheduling
