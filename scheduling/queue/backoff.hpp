// SPDX-License-Identifier: Apache-2.0

// How long a pod that could not be scheduled waits before the next try.
//
// Pure. 1 s, 2 s, 4 s, 8 s, 10 s, 10 s ... The end is truncated to a whole second and includes that
// second, so that a pod waits up to a second longer than its duration, and pods of the same second
// return together, in the order of their priority.
#pragma once

#include <chrono>

#include "api/time.hpp"

namespace berth::scheduling {

using api::WallTime;

// podInitialBackoffSeconds and podMaxBackoffSeconds of KubeSchedulerConfiguration.
struct BackoffPolicy {
  std::chrono::seconds initial{1};
  std::chrono::seconds longest{10};  // 0: no pod waits

  bool operator==(const BackoffPolicy&) const = default;
};

// `failures`: number of failures so far.
[[nodiscard]] std::chrono::seconds backoff_duration(const BackoffPolicy& policy, int failures);

// The last second of the wait, for a pod that returned at `since`.
[[nodiscard]] WallTime backoff_expiry(WallTime since, std::chrono::seconds duration);
[[nodiscard]] bool is_backing_off(WallTime expiry, WallTime now);

}  // namespace berth::scheduling
