// SPDX-License-Identifier: Apache-2.0

// Parses a 32-bit float as Go's strconv.ParseFloat does, which parses percentages in Kubernetes.
#pragma once

#include <string_view>

#include "base/result.hpp"

namespace berth::eviction {

// Decimal ("1.5e1", ".5", "+5"), hexadecimal with an exponent ("0x1p-2"), underscores between
// digits ("1_0"), "inf", "infinity", "nan" in any case. Too small a number becomes zero; too large
// a number, and anything else, is kInvalid in Go's words.
[[nodiscard]] Result<float> parse_float32(std::string_view text);

}  // namespace berth::eviction
