// SPDX-License-Identifier: Apache-2.0

// What is passed down with a call: its deadline.
//
// A child never outlives its parent: its deadline is the earlier of the two. Passed by value (it is
// small). To stop, the coroutine itself is cancelled, by a signal of the task group.
#pragma once

#include <algorithm>
#include <optional>

#include "base/clock_types.hpp"

namespace berth {

struct Context {
  std::optional<SteadyTime> deadline{};  // unset: no limit

  [[nodiscard]] Context with_deadline(SteadyTime limit) const {
    return {.deadline = deadline ? std::min(*deadline, limit) : limit};
  }
};

}  // namespace berth
