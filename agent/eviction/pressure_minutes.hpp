// SPDX-License-Identifier: Apache-2.0

// The pressure history on its way into the state file and back: samples folded into minutes, and
// what an earlier berthd kept put on today's clock.
//
// A value and a function; times are passed in. A kill costs the minute that is not full yet.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/history.hpp"

namespace berth::agent {

// One row a minute: a crash loses little, and a disk is not kept awake by more.
inline constexpr Nanoseconds kPressureRowEvery = std::chrono::minutes(1);

class PressureMinutes {
 public:
  // Samples in order of time. Returns the minute before, merged, when this one begins another.
  [[nodiscard]] std::optional<eviction::Sample> add(const eviction::Sample& sample);
  // The minute so far, for a stop; empties it.
  [[nodiscard]] std::optional<eviction::Sample> rest();

 private:
  std::optional<eviction::Sample> minute_{};
  SteadyTime began_{};
};

// `kept`, oldest first, with `at` set so that it is as long ago as `shown_at` was. Samples of the
// future, or out of order because the wall clock was set, are left out.
[[nodiscard]] std::vector<eviction::Sample> taken_up(std::vector<eviction::Sample> kept,
                                                     SteadyTime now, WallTime wall_now);

}  // namespace berth::agent
