// SPDX-License-Identifier: Apache-2.0

// Why nodes refuse a pod: every filter that refuses, starting with the one that the scheduler
// reports, with the values that decided and what would have to change.
//
// Pure; about a scheduler's last decision, which must outlive it. Nominated pods count as they did
// in the decision.
#pragma once

#include <optional>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/explain/affinity_matches.hpp"
#include "scheduling/explain/placement_explanation.hpp"
#include "scheduling/explain/spread_tables.hpp"

namespace berth::scheduling {

class Refusals {
 public:
  explicit Refusals(const Scheduler& scheduler);

  // Empty if the node can take the pod.
  [[nodiscard]] std::vector<Refusal> of(NodeIndex node) const;

 private:
  [[nodiscard]] Refusal absent(const NodeInfo& node) const;
  [[nodiscard]] Refusal refusal_by(Rejection rejection, const HypotheticalNode& node) const;
  void explain(Rejection rejection, const HypotheticalNode& node, Refusal& refusal) const;
  void explain_nominated(NodeIndex node, Refusal& refusal) const;
  void explain_ports(const HypotheticalNode& node, Refusal& refusal) const;
  void explain_resources(const HypotheticalNode& node, Refusal& refusal) const;
  void explain_spread(const HypotheticalNode& node, Refusal& refusal) const;
  void explain_affinity_missed(const NodeInfo& node, Refusal& refusal) const;
  void explain_anti_affinity(const NodeInfo& node, Refusal& refusal) const;
  void explain_existing_anti_affinity(const NodeInfo& node, Refusal& refusal) const;

  const Scheduler& scheduler_;
  const Cluster& cluster_;
  const IncomingPod& pod_;
  std::vector<bool> looked_at_{};  // by node
  std::optional<AffinityMatches> matches_{};
  SkewReasons skew_;
};

}  // namespace berth::scheduling
