// SPDX-License-Identifier: Apache-2.0

// An event as stored: the API's JSON, with times to the nanosecond. Pure.
#pragma once

#include <string>
#include <string_view>

#include "api/event.hpp"
#include "base/result.hpp"

namespace berth::agent {

[[nodiscard]] std::string event_text(const api::Event& event);
[[nodiscard]] Result<api::Event> read_event(std::string_view text);

}  // namespace berth::agent
