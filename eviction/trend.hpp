// SPDX-License-Identifier: Apache-2.0

// Trends of signals: slope, fastest change seen, time until a limit.
//
// Pure. Rates are units of the signal per second; negative: the available amount shrinks.
#pragma once

#include <map>
#include <optional>

#include "base/clock_types.hpp"
#include "eviction/history.hpp"
#include "eviction/pressure.hpp"

namespace berth::eviction {

using Rates = std::map<Signal, double>;

// Least squares over the samples of the last `window`; signals with fewer than two samples are
// omitted.
[[nodiscard]] Rates slopes(const History& history, Nanoseconds window);

// The fastest approach of each signal to its limits, between the readings of two adjacent unmerged
// samples; never negative. Averages are left out: the kernel updates them in steps, every two
// seconds, and the bound on their change is known (sampling.hpp).
[[nodiscard]] Rates fastest_approach(const History& history);

// The distance of a threshold's value from its limit, in units of the signal; positive while the
// threshold is not met. `std::nullopt` if the signal was not measured.
[[nodiscard]] std::optional<double> headroom(const JudgedThreshold& judged);

// The time until the limit is reached if the slope holds: zero if it is already exceeded,
// `std::nullopt` if the value moves away from the limit or its slope is unknown; at most a hundred
// years, which means never.
[[nodiscard]] std::optional<Nanoseconds> time_to_limit(const JudgedThreshold& judged,
                                                       std::optional<double> slope);

}  // namespace berth::eviction
