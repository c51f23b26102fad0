// SPDX-License-Identifier: Apache-2.0

// What `describe pod` and `describe node` have in common. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/event.hpp"
#include "api/resources.hpp"
#include "api/time.hpp"
#include "base/clock_types.hpp"
#include "ctl/describe/describe_text.hpp"

namespace berth::ctl {

// Each entry as text, with `between` between key and value: "app=web", "note: text".
[[nodiscard]] std::vector<std::string> key_values(const std::map<std::string, std::string>& map,
                                                  std::string_view between);

// Prints nothing if there are no amounts.
void describe_amounts(DescribeText& out, std::string_view key, const api::ResourceList& amounts);

void describe_events(DescribeText& out, const std::vector<api::Event>& events, WallTime now);

// "Sat, 21 Nov 2026 15:40:32 +0000"; "<unknown>" if not set.
[[nodiscard]] std::string describe_time(const std::optional<api::Time>& time);

}  // namespace berth::ctl
