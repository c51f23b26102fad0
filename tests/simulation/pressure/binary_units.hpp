// SPDX-License-Identifier: Apache-2.0

// Sizes in bytes, for literals.
#pragma once

#include <cstdint>

namespace berth::simulation {

inline constexpr std::int64_t kMi = std::int64_t{1} << 20;
inline constexpr std::int64_t kGi = std::int64_t{1} << 30;

}  // namespace berth::simulation
