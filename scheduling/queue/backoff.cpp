// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/backoff.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

WallTime whole_second(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time);
}

}  // namespace

std::chrono::seconds backoff_duration(const BackoffPolicy& policy, int failures) {
  if (failures <= 0) return std::chrono::seconds(0);
  std::chrono::seconds duration = std::min(policy.initial, policy.longest);
  for (int i = 1; i < failures && duration < policy.longest; ++i) {
    // Halve the limit instead of doubling first, so that nothing overflows.
    duration = duration > policy.longest / 2 ? policy.longest : duration * 2;
  }
  return duration;
}

WallTime backoff_expiry(WallTime since, std::chrono::seconds duration) {
  return whole_second(since + duration);
}

bool is_backing_off(WallTime expiry, WallTime now) {
  return expiry >= whole_second(now);
}

}  // namespace berth::scheduling
