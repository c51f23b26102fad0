// SPDX-License-Identifier: Apache-2.0

// A PodDisruptionBudget as one line of `get poddisruptionbudgets`, in kubectl's columns. Pure.
#pragma once

#include "api/pod_disruption_budget.hpp"
#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

enum class WithNamespace : bool { kNo, kYes };

[[nodiscard]] Row budget_header(WithNamespace with_namespace);
[[nodiscard]] Row budget_row(const api::PodDisruptionBudget& budget, WithNamespace with_namespace,
                             WallTime now);

}  // namespace berth::ctl
