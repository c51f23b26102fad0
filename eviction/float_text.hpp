// SPDX-License-Identifier: Apache-2.0

// Parses a 32-bit float as Go's strconv.ParseFloat does, which parses percentages in Kubernetes.
#pragma once

#include <string_view>

#include "base/result.hpp"

namespace berth::eviction {

// Accepts decimal ("1.5e1", ".5", "+5"), hexadecimal with an exponent ("0x1p-2"), underscores
// between digits ("1_0"), and "inf", "infinity", "nan" in any case. A number that is too small
// becomes zero; one that is too large, and any other text, is kInvalid with Go's error message.
[[nodiscard]] Result<float> parse_float32(std::string_view text);

}  // namespace berth::eviction
