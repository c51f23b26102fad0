// SPDX-License-Identifier: Apache-2.0

// What is passed down with a call: its deadline, and the object it works for.
//
// A child never outlives its parent: its deadline is the earlier of the two. Passed by value (it is
// small). To stop, the coroutine itself is cancelled, by a signal of the task group.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock_types.hpp"

namespace berth {

struct Context {
  std::optional<SteadyTime> deadline{};  // unset: no limit
  std::string log_prefix{};              // e.g. "default/web-node1"

  [[nodiscard]] Context with_deadline(SteadyTime limit) const {
    return {.deadline = deadline ? std::min(*deadline, limit) : limit, .log_prefix = log_prefix};
  }
  [[nodiscard]] Context named(std::string_view part) const {
    return {.deadline = deadline,
            .log_prefix =
                log_prefix.empty() ? std::string(part) : log_prefix + " " + std::string(part)};
  }
};

}  // namespace berth
