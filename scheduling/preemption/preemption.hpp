// SPDX-License-Identifier: Apache-2.0

// Preemption: whether removing pods of lower priority makes room for a pod that found no node, and
// which pods to remove.
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
  std::string ineligible_reason{};  // empty if the pod may preempt
  std::vector<NodeIndex> potential_nodes{};
  std::vector<PreemptionCandidate> candidates{};
  // Why the nodes that were tried are not candidates.
  std::vector<std::pair<NodeIndex, Status>> statuses{};
  // Indices into `candidates`: the best ones, equally good. Empty if there is none.
  std::vector<std::size_t> best{};
  // The pod's own nomination must be cleared: preemption was tried and found nothing.
  bool clears_nomination = false;
  Status post_filter{};
  std::string message{};  // the full failure text
};

// `offset`: the index of the potential node at which the search starts; in a large cluster the
// search ends before all of them were tried.
[[nodiscard]] Preemption preempt(const Scheduler& scheduler, const DisruptionBudgets& budgets,
                                 std::size_t offset = 0);

// Nominated pods of lower priority, by key; they lose their nomination to a node when a pod is
// nominated to it.
[[nodiscard]] std::vector<const PodInfo*> lower_priority_nominated(const Scheduler& scheduler,
                                                                   NodeIndex node);

// Indices of the best candidates, by: fewest violated budgets; lowest priority of the most
// important victim; smallest sum of priorities (each counted from 0 up, so that more victims cost
// more); fewest victims; latest start of the most important ones.
[[nodiscard]] std::vector<std::size_t> best_candidates(
    const std::vector<PreemptionCandidate>& candidates, const Cluster& cluster);

}  // namespace berth::scheduling
