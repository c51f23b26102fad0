// SPDX-License-Identifier: Apache-2.0

// Amounts as people read them: "500Mi" for 524288000, "1.5Gi", "20%".
//
// For sentences and tables only: three digits are kept, so what a program reads, compares or stores
// is the exact amount elsewhere. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace berth::api {

// Which way the digits that are not shown go. What is left is rounded down and what is used up, so
// that a sentence about an amount just beyond a limit does not name the limit itself.
enum class Rounding : std::uint8_t { kNearest, kDown, kUp };

// In the largest unit that leaves at least one: 1023 stays, 1024 is "1Ki".
[[nodiscard]] std::string readable_bytes(std::int64_t bytes,
                                         Rounding rounding = Rounding::kNearest);

// A share in parts per million, to the hundredth of a percent, which is what the kernel reports.
[[nodiscard]] std::string readable_share(double parts_per_million);

}  // namespace berth::api
