// Preemption: whether pods of lower priority can make way for a pod that found no node, and which.
//
// Pure over the scheduler's last decision. What comes of it (deleting the victims, nominating the
// pod) is the caller's.
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
  // Of the nodes that were tried and are no candidates, why not.
  std::vector<std::pair<NodeIndex, Status>> statuses{};
  // Places in `candidates`: the best, each as good as the other. Empty: there is none.
  std::vector<std::size_t> best{};
  // The pod's own nomination is taken back: preemption was tried and found nothing.
  bool clears_nomination = false;
  Status post_filter{};
  std::string message{};  // the whole failure text
};

// `offset`: at which of the potential nodes the search begins; in a large cluster it ends before
// all were tried.
[[nodiscard]] Preemption preempt(const Scheduler& scheduler, const DisruptionBudgets& budgets,
                                 std::size_t offset = 0);

// Nominated pods of lower priority, which lose their nomination to the node where a pod is
// nominated now: by key.
[[nodiscard]] std::vector<const PodInfo*> lower_priority_nominated(const Scheduler& scheduler,
                                                                   NodeIndex node);

// The places of the best candidates: fewest violated budgets; then the lowest priority of the most
// important victim; the smallest sum of priorities (each from 0 up, so that more victims cost
// more); fewest victims; the latest start of the most important ones.
[[nodiscard]] std::vector<std::size_t> best_candidates(
    const std::vector<PreemptionCandidate>& candidates, const Cluster& cluster);

}  // namespace berth::scheduling
