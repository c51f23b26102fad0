// An event as one line: `events` and the end of `describe`. Pure.
#pragma once

#include <string>

#include "api/event.hpp"
#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

[[nodiscard]] Row event_header(bool with_namespace);
[[nodiscard]] Row event_row(const api::Event& event, bool with_namespace, WallTime now);

// "12s", or "12s (x4 over 2m)" for one that was repeated.
[[nodiscard]] std::string event_age(const api::Event& event, WallTime now);

}  // namespace berth::ctl
