// SPDX-License-Identifier: Apache-2.0

// Truncates a double to a 64-bit integer, as Go's int64(x) does on amd64, where Kubernetes'
// decisions were recorded: a value that does not fit in 64 bits, including NaN, becomes the
// smallest integer.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace berth {

[[nodiscard]] inline std::int64_t cut_to_int64(double amount) {
  constexpr double kTooMuch = 9223372036854775808.0;  // 2^63
  if (std::isnan(amount) || amount >= kTooMuch || amount < -kTooMuch)
    return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(amount);
}

}  // namespace berth
