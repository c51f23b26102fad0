// SPDX-License-Identifier: Apache-2.0

// Sums, differences and products of 64-bit integers that wrap around, as Go's do: absurd amounts in
// a manifest lead to the values that Kubernetes computes from them.
//
// Not saturated, because a node's totals are changed pod by pod: subtracting an amount must undo
// adding it. Pure.
#pragma once

#include <cstdint>

namespace berth {

[[nodiscard]] constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

}  // namespace berth
