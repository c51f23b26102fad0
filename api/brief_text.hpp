// Messages about values that may be of any length.
//
// An error repeats the value that it is about, as Kubernetes' do; a value of 100 kB would make the
// message useless and the log as long. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::api {

inline constexpr std::size_t kLongestQuote = 120;     // bytes of a value between quotes
inline constexpr std::size_t kLongestMessage = 1000;  // bytes of the whole

// Quoted values are cut, with their length behind them; so is what is still too long then.
[[nodiscard]] std::string brief(std::string_view message);

}  // namespace berth::api
