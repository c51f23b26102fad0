// SPDX-License-Identifier: Apache-2.0

// Chooses the node to preempt on.
#include <algorithm>
#include <limits>
#include <tuple>

#include "scheduling/preemption/preemption.hpp"

namespace berth::scheduling {
namespace {

constexpr api::WallTime kJustNow = api::WallTime::max();

// Smaller is better.
using Cost = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::size_t, api::WallTime::rep>;

api::WallTime start_of(const PodInfo& pod) {
  return pod.start_time ? pod.start_time->at : kJustNow;
}

Cost cost_of(const PreemptionCandidate& candidate, const Cluster& cluster) {
  constexpr std::int64_t kPriorityOffset = std::int64_t{1} << 31;
  const std::int64_t highest = cluster.pod(candidate.victims.pods.front()).priority;
  std::int64_t sum = 0;
  api::WallTime earliest = kJustNow;
  for (const PodSlot slot : candidate.victims.pods) {
    const PodInfo& pod = cluster.pod(slot);
    sum += pod.priority + kPriorityOffset;
    if (pod.priority == highest) earliest = std::min(earliest, start_of(pod));
  }
  // The latest start is the best, so it is inverted by the complement, which cannot overflow.
  return {candidate.victims.budget_violations, highest, sum, candidate.victims.pods.size(),
          ~earliest.time_since_epoch().count()};
}

}  // namespace

std::vector<std::size_t> best_candidates(const std::vector<PreemptionCandidate>& candidates,
                                         const Cluster& cluster) {
  std::vector<std::size_t> best;
  std::optional<Cost> least;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Cost cost = cost_of(candidates[i], cluster);
    if (least && cost > *least) continue;
    if (!least || cost < *least) best.clear();
    least = cost;
    best.push_back(i);
  }
  return best;
}

}  // namespace berth::scheduling
