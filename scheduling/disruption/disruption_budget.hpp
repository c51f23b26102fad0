// SPDX-License-Identifier: Apache-2.0

// What the eviction API and the disruption controller share about a PodDisruptionBudget: which pods
// it protects, which of them are healthy, and its condition.
//
// Pure. Preemption reads budgets differently: there an empty selector protects nothing.
#pragma once

#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/time.hpp"

namespace berth::scheduling {

inline constexpr const char* kDisruptionAllowed = "DisruptionAllowed";
inline constexpr const char* kSufficientPods = "SufficientPods";
inline constexpr const char* kInsufficientPods = "InsufficientPods";
inline constexpr const char* kSyncFailed = "SyncFailed";

// Whether the pod is in the budget's namespace and selected: an empty selector selects every pod,
// an absent or invalid one none.
[[nodiscard]] bool protects(const api::PodDisruptionBudget& budget, const api::Pod& pod);

// Whether condition Ready is True.
[[nodiscard]] bool is_ready(const api::Pod& pod);

// Sets condition DisruptionAllowed from disruptionsAllowed. Its transition time changes only with
// its status.
void set_disruption_allowed_condition(api::PodDisruptionBudgetStatus& status, api::WallTime now);

// The same for a condition with any reason.
void set_condition(api::PodDisruptionBudgetStatus& status, api::Condition condition,
                   api::WallTime now);

}  // namespace berth::scheduling
