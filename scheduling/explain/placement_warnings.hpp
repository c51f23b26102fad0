// What is probably not meant: constraints that ask about labels which nodes do not have, selectors
// that match nobody, and what the real scheduler would ask in addition.
//
// Pure; of a scheduler's last decision.
#pragma once

#include <string>
#include <vector>

#include "scheduling/cycle/scheduler.hpp"
#include "scheduling/explain/placement_explanation.hpp"

namespace berth::scheduling {

[[nodiscard]] std::vector<std::string> placement_warnings(const Scheduler& scheduler,
                                                          const std::vector<SpreadTable>& spread);

}  // namespace berth::scheduling
