// SPDX-License-Identifier: Apache-2.0

// Messages about values of any length.
//
// An error repeats the offending value, as Kubernetes' errors do; a value of 100 kB would make the
// message useless and flood the log. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::api {

inline constexpr std::size_t kLongestQuote = 120;     // bytes of a quoted value
inline constexpr std::size_t kLongestMessage = 1000;  // bytes of the whole message

// Truncates quoted values and appends their length; then truncates the whole if it is still too
// long.
[[nodiscard]] std::string brief(std::string_view message);

}  // namespace berth::api
