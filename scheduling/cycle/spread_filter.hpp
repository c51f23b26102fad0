// SPDX-License-Identifier: Apache-2.0

// PodTopologySpread as a filter: hard constraints (DoNotSchedule).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduling/cycle/rejection.hpp"
#include "scheduling/cycle/spread_columns.hpp"

namespace berth::scheduling {

class SpreadFilter {
 public:
  // How many pods more (or less) each constraint would count at one node.
  using Change = std::vector<std::int64_t>;

  // The pod's hard constraints must have been compiled.
  void prepare(const Cluster& cluster, const IncomingPod& pod, SpreadColumns& columns,
               Topologies& topologies);
  [[nodiscard]] bool is_skipped() const { return terms_.empty(); }

  // Adds this filter's rejections to those of every node.
  void reject(std::span<Rejections> rejections) const;
  // For one node whose pods would change.
  [[nodiscard]] Rejections rejections_of(NodeIndex node, const Change& change) const;

  // Adds to `change` a pod that arrives on the node (sign 1) or leaves it (-1).
  void apply(Change& change, const Cluster& cluster, NodeIndex node, const PodInfo& pod,
             std::int64_t sign) const;

  // The numbers that decide for a node.
  struct Figures {
    std::int64_t count = 0;  // in the node's domain
    std::int64_t self = 0;   // 1 if the constraint counts the pod itself
    std::int64_t minimum = 0;
    std::int64_t max_skew = 0;
  };
  // The first constraint that rejects a node.
  struct Finding {
    Rejection rejection = Rejection::kSpreadSkew;
    const SpreadConstraint* constraint = nullptr;
    Figures figures{};
  };
  [[nodiscard]] std::optional<Finding> find(NodeIndex node, const Change& change) const;
  // The same for a single constraint.
  [[nodiscard]] std::optional<Finding> find_one(std::size_t constraint, NodeIndex node,
                                                const Change& change) const;
  [[nodiscard]] std::size_t constraints() const { return terms_.size(); }
  // In the order of the pod's hard constraints.
  [[nodiscard]] std::span<const SpreadTerms> terms() const { return terms_; }

 private:
  [[nodiscard]] Figures figures(const SpreadTerms& term, NodeIndex node, std::int64_t change) const;

  std::vector<SpreadTerms> terms_{};
  NameId namespace_ = 0;
};

}  // namespace berth::scheduling
