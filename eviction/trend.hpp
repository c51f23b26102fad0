// Where signals are heading: slope, fastest change seen, time until a limit.
//
// Pure. Rates are units of the signal in a second; negative: what is available shrinks.
#pragma once

#include <map>
#include <optional>

#include "base/clock_types.hpp"
#include "eviction/history.hpp"
#include "eviction/pressure.hpp"

namespace berth::eviction {

using Rates = std::map<Signal, double>;

// Least squares over the samples of the last `window`; signals with fewer than two are absent.
[[nodiscard]] Rates slopes(const History& history, Nanoseconds window);

// How fast each signal has ever approached its limits, between two samples next to each other that
// are not merged; never negative.
[[nodiscard]] Rates fastest_approach(const History& history);

// How far a threshold's value is from its limit, positive while it is not met, in units of the
// signal. Absent when the signal was not measured.
[[nodiscard]] std::optional<double> headroom(const JudgedThreshold& judged);

// Time until the limit is reached if the slope holds: zero when it is passed already, absent when
// the value moves away or nothing is known, at most a hundred years, which means never.
[[nodiscard]] std::optional<Nanoseconds> time_to_limit(const JudgedThreshold& judged,
                                                       std::optional<double> slope);

}  // namespace berth::eviction
