// SPDX-License-Identifier: Apache-2.0

// How many logs may be followed at once.
//
// Each takes an inotify instance, and all processes of root share fs.inotify.max_user_instances
// (128 by default): half of them are left to the others, and no user may take all of the rest.
// Pure.
#pragma once

#include <cstddef>

namespace berth::agent {

struct FollowLimits {
  std::size_t all = 0;
  std::size_t of_user = 0;
};

[[nodiscard]] constexpr FollowLimits follow_limits(std::size_t inotify_instances) {
  const std::size_t all = inotify_instances / 2;
  return {.all = all, .of_user = all - all / 4};
}

}  // namespace berth::agent
