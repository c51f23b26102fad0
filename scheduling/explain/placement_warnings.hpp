// SPDX-License-Identifier: Apache-2.0

// Likely mistakes: constraints on labels that no node has, selectors that match nothing, and checks
// that the real scheduler would make in addition.
//
// Pure; about a scheduler's last decision.
#pragma once

#include <string>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/explain/placement_explanation.hpp"

namespace berth::scheduling {

[[nodiscard]] std::vector<std::string> placement_warnings(const Scheduler& scheduler,
                                                          const std::vector<SpreadTable>& spread);

}  // namespace berth::scheduling
