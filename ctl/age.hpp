// Durations as kubectl prints ages: two units at most, fewer as time passes ("42s", "5m30s", "3h",
// "5d3h"). Pure.
#pragma once

#include <optional>
#include <string>

#include "api/time.hpp"
#include "base/clock_types.hpp"

namespace berth::ctl {

// "<invalid>" for a duration that lies in the future by more than a second.
[[nodiscard]] std::string human_duration(Nanoseconds duration);

// How long ago that was; "<unknown>" for a time that is not set.
[[nodiscard]] std::string age(const std::optional<api::Time>& since, WallTime now);

}  // namespace berth::ctl
