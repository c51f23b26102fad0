// SPDX-License-Identifier: Apache-2.0

// A topology spread constraint with its counts, as a table. Pure.
#pragma once

#include <string>

#include "ctl/schedule/explain_text.hpp"
#include "scheduling/explain/placement_explanation.hpp"

namespace berth::ctl {

[[nodiscard]] std::string spread_text(const scheduling::SpreadTable& table, Extent extent);

}  // namespace berth::ctl
