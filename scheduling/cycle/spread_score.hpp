// SPDX-License-Identifier: Apache-2.0

// PodTopologySpread as a score: soft constraints (ScheduleAnyway).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduling/cycle/spread_columns.hpp"

namespace berth::scheduling {

class SpreadScore {
 public:
  // The pod's soft constraints must have been compiled. `feasible`: the nodes that are scored.
  void prepare(const Cluster& cluster, const IncomingPod& pod, std::span<const NodeIndex> feasible,
               SpreadColumns& columns, Topologies& topologies);
  [[nodiscard]] bool is_skipped() const { return terms_.empty(); }

  // Computes scores before normalisation, by node; only for feasible nodes. 0 for ignored nodes.
  void score(std::span<const NodeIndex> feasible, std::span<std::int64_t> raw);
  // By node, non-zero for ignored nodes: they lack one of the keys, which is not tolerated. Null if
  // there are none.
  [[nodiscard]] const std::uint8_t* ignored() const {
    return ignored_nodes_ > 0 ? ignored_.data() : nullptr;
  }

 private:
  void ignore(std::size_t nodes, std::span<const NodeIndex> feasible);
  void weigh(std::span<const NodeIndex> feasible);
  [[nodiscard]] std::size_t domains(const SpreadTerms& term,
                                    std::span<const NodeIndex> feasible) const;
  void add_by_host(const SpreadTerms& term, double weight, std::span<const NodeIndex> feasible);
  void add_by_domain(const SpreadTerms& term, double weight, std::span<const NodeIndex> feasible);

  std::vector<SpreadTerms> terms_{};
  std::vector<double> weights_{};
  std::vector<std::uint8_t> ignored_{};  // by node
  std::size_t ignored_nodes_ = 0;
  std::vector<double> sums_{};  // by node
  SpreadColumns::MissingKeys missing_ = SpreadColumns::MissingKeys::kDoNotCount;
};

}  // namespace berth::scheduling
