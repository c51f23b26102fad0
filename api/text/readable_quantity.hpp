// SPDX-License-Identifier: Apache-2.0

// Amounts in a readable form: "500Mi" for 524288000, "1.5Gi", "20%".
//
// For sentences and tables only: three digits are kept, so programs must read, compare and store
// the exact amount instead. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace berth::api {

// How digits that are not shown are rounded. Amounts left are rounded down and amounts used are
// rounded up, so that a sentence about an amount just beyond a limit does not show the limit
// itself.
enum class Rounding : std::uint8_t { kNearest, kDown, kUp };

// In the largest unit in which the number is at least one: 1023 stays, 1024 is "1Ki".
[[nodiscard]] std::string readable_bytes(std::int64_t bytes,
                                         Rounding rounding = Rounding::kNearest);

// A share in parts per million, to the hundredth of a percent, which is the kernel's precision.
[[nodiscard]] std::string readable_share(double parts_per_million);

}  // namespace berth::api
