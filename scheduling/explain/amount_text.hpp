// SPDX-License-Identifier: Apache-2.0

// Amounts of resources in readable form: "500m", "1.5", "7.7Gi".
//
// Pure. cpu is in thousandths, everything else in whole units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scheduling/predicates/resource_fit.hpp"

namespace berth::scheduling {

[[nodiscard]] std::string amount_text(std::string_view resource, std::int64_t amount);

// "cpu 500m, memory 1Gi"; "nothing" if all are 0.
[[nodiscard]] std::string amounts_text(const ResourceAmounts& amounts);

}  // namespace berth::scheduling
