// SPDX-License-Identifier: Apache-2.0

// Which pods would have to be removed from one node so that a pod fits there.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/preemption/disruption_budgets.hpp"

namespace berth::scheduling {

struct Victims {
  std::vector<PodSlot> pods{};  // from most to least important
  std::int64_t budget_violations = 0;
};

// A higher priority comes first, then an earlier start; a pod that has not started counts as
// starting now.
[[nodiscard]] bool is_more_important(const PodInfo& a, const PodInfo& b);

// For the pod of the scheduler's last decision, which found no node. The status states why the node
// is not a candidate.
[[nodiscard]] std::expected<Victims, Status> victims_on(const Scheduler& scheduler, NodeIndex node,
                                                        const DisruptionBudgets& budgets);

}  // namespace berth::scheduling
