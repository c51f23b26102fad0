// SPDX-License-Identifier: Apache-2.0

// The pressure history on its way into the state file and back: folds samples into minutes, and
// puts what an earlier berthd kept on the current clock.
//
// A value and a function; times are passed in. If berthd is killed, the incomplete minute is lost.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/history.hpp"

namespace berth::agent {

// One row per minute: a crash loses little, and more would keep a disk awake.
inline constexpr Nanoseconds kPressureRowEvery = std::chrono::minutes(1);

class PressureMinutes {
 public:
  // Takes samples in order of time. Returns the previous minute, merged, when a sample begins a new
  // one.
  [[nodiscard]] std::optional<eviction::Sample> add(const eviction::Sample& sample);
  // Returns the incomplete minute, for a stop, and empties it.
  [[nodiscard]] std::optional<eviction::Sample> rest();

 private:
  std::optional<eviction::Sample> minute_{};
  SteadyTime began_{};
};

// `kept`, oldest first, with `at` set so that it is as long ago as `shown_at` was. Samples in the
// future, or out of order because the wall clock was set, are left out.
[[nodiscard]] std::vector<eviction::Sample> rebased_samples(std::vector<eviction::Sample> kept,
                                                            SteadyTime now, WallTime wall_now);

}  // namespace berth::agent
