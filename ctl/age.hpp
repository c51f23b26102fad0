// SPDX-License-Identifier: Apache-2.0

// Durations as kubectl prints ages: at most two units, fewer as time passes ("42s", "5m30s", "3h",
// "5d3h"). Pure.
#pragma once

#include <optional>
#include <string>

#include "api/time.hpp"
#include "base/clock_types.hpp"

namespace berth::ctl {

// "<invalid>" for a duration more than a second in the future.
[[nodiscard]] std::string human_duration(Nanoseconds duration);

// Time since then; "<unknown>" if unset.
[[nodiscard]] std::string age(const std::optional<api::Time>& since, WallTime now);

}  // namespace berth::ctl
