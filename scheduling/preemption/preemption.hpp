// SPDX-License-Identifier: Apache-2.0

// Preemption: whether removing pods of lower priority makes room for a pod that found no node, and
// which.
//
// Pure over the scheduler's last decision. The caller acts on the result (deletes the victims,
// nominates the pod).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scheduling/preemption/victims.hpp"

namespace berth::scheduling {

struct PreemptionCandidate {
  NodeIndex node = 0;
  Victims victims{};
};

struct Preemption {
  std::string ineligible_reason{};  // empty: the pod may preempt
  std::vector<NodeIndex> potential_nodes{};
  std::vector<PreemptionCandidate> candidates{};
  // Why tried nodes are no candidates.
  std::vector<std::pair<NodeIndex, Status>> statuses{};
  // Indices into `candidates`: the best ones, equally good. Empty: there is none.
  std::vector<std::size_t> best{};
  // Clear the pod's own nomination: preemption was tried and found nothing.
  bool clears_nomination = false;
  Status post_filter{};
  std::string message{};  // the full failure text
};

// `offset`: the index of the potential node at which the search starts; in a large cluster it ends
// before all were tried.
[[nodiscard]] Preemption preempt(const Scheduler& scheduler, const DisruptionBudgets& budgets,
                                 std::size_t offset = 0);

// Nominated pods of lower priority, by key; they lose their nomination to a node when a pod is
// nominated to it.
[[nodiscard]] std::vector<const PodInfo*> lower_priority_nominated(const Scheduler& scheduler,
                                                                   NodeIndex node);

// Indices of the best candidates: fewest violated budgets; then the lowest priority of the most
// important victim; the smallest sum of priorities (each counted from 0 up, so that more victims
// cost more); fewest victims; the latest start of the most important ones.
[[nodiscard]] std::vector<std::size_t> best_candidates(
    const std::vector<PreemptionCandidate>& candidates, const Cluster& cluster);

}  // namespace berth::scheduling
