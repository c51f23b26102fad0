// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/shutdown/shutdown_plan.hpp"

#include <algorithm>

namespace berth::lifecycle {
namespace {

using std::chrono::seconds;

PlannedStop planned_stop(const std::shared_ptr<const api::Pod>& pod, seconds period) {
  const auto& stated = pod->spec.terminationGracePeriodSeconds;
  const seconds own = stated ? seconds(*stated) : period;
  return {.pod = pod, .grace = std::min(period, own), .cut_short = own > period};
}

}  // namespace

const ShutdownGroup& group_of(const ShutdownGroups& groups, const api::Pod& pod) {
  const auto above =
      std::ranges::upper_bound(groups, pod.spec.priority.value_or(0), {}, &ShutdownGroup::priority);
  return above == groups.begin() ? groups.front() : *(above - 1);
}

ShutdownPlan shutdown_plan(const ShutdownGroups& groups,
                           const std::vector<std::shared_ptr<const api::Pod>>& pods) {
  ShutdownPlan plan;
  seconds begins{};
  for (const ShutdownGroup& group : groups) {
    PlannedGroup planned{.group = group, .begins = begins};
    for (const auto& pod : pods)
      if (&group_of(groups, *pod) == &group)
        planned.pods.push_back(planned_stop(pod, group.period));
    if (planned.pods.empty()) continue;
    plan.push_back(std::move(planned));
    begins += group.period;
  }
  return plan;
}

seconds longest_shutdown(const ShutdownGroups& groups) {
  seconds sum{};
  for (const ShutdownGroup& group : groups) sum += group.period;
  return sum;
}

ShutdownBudget shutdown_budget(const ShutdownPlan& plan,
                               std::optional<std::chrono::nanoseconds> granted) {
  ShutdownBudget budget;
  for (const PlannedGroup& planned : plan) {
    for (const PlannedStop& stop : planned.pods) {
      const seconds ends = planned.begins + stop.grace;
      budget.needed = std::max(budget.needed, ends);
      if (stop.cut_short) ++budget.cut_short;
      if (granted && ends > *granted) ++budget.lost;
    }
  }
  return budget;
}

}  // namespace berth::lifecycle
