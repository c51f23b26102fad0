// SPDX-License-Identifier: Apache-2.0

#include "cri/types.hpp"

namespace berth::cri {

std::optional<WallTime> wall_time(std::int64_t unix_nanoseconds) {
  if (unix_nanoseconds == 0) return std::nullopt;
  return WallTime{Nanoseconds{unix_nanoseconds}};
}

std::int64_t unix_nanoseconds(WallTime time) {
  return time.time_since_epoch().count();
}

}  // namespace berth::cri
