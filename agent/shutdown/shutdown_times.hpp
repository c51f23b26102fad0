// SPDX-License-Identifier: Apache-2.0

// When pods were last stopped for a shutdown of the machine, as /metrics shows it. Pure.
//
// The kubelet's metrics, with its meaning: a shutdown that has begun has no end yet, and a
// cancelled one ends when it is cancelled. They are useful after the boot, so they are persisted
// (shutdown_times_store).
#pragma once

#include <optional>
#include <string>

#include "base/clock_types.hpp"

namespace berth::agent {

struct ShutdownTimes {
  std::optional<WallTime> start{};  // unset if there was none
  std::optional<WallTime> end{};
  bool operator==(const ShutdownTimes&) const = default;
};

[[nodiscard]] ShutdownTimes begun(WallTime now);
// The times after the last shutdown: `now` ends one that is under way.
[[nodiscard]] ShutdownTimes ended(const ShutdownTimes& times, WallTime now);

// Whole seconds, as the kubelet's; 0 if unset.
void write_metrics(const ShutdownTimes& times, std::string& out);

}  // namespace berth::agent
