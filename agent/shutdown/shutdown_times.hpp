// SPDX-License-Identifier: Apache-2.0

// When pods were last stopped for the machine's end, as /metrics shows it. Pure.
//
// The kubelet's metrics, with its meaning: a shutdown that has begun has no end yet, and one that
// is called off ends with that. They are of use after the boot, so they are kept
// (shutdown_times_store).
#pragma once

#include <optional>
#include <string>

#include "base/clock_types.hpp"

namespace berth::agent {

struct ShutdownTimes {
  std::optional<WallTime> start{};  // unset: there was none
  std::optional<WallTime> end{};
  bool operator==(const ShutdownTimes&) const = default;
};

[[nodiscard]] ShutdownTimes begun(WallTime now);
// As they are if no shutdown is under way.
[[nodiscard]] ShutdownTimes ended(const ShutdownTimes& times, WallTime now);

// Whole seconds, as the kubelet's; 0 for what is unset.
void write_metrics(const ShutdownTimes& times, std::string& out);

}  // namespace berth::agent
