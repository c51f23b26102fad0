// SPDX-License-Identifier: Apache-2.0

// How long a pod has to wait until its image may be pulled again after a failure.
//
// The window is 10 s, doubled by each failure up to 300 s, and counts from the last failure; an
// entry is forgotten 600 s after that. Kept per pod and image; a success does not shorten it. A
// value with pure functions, like restart_backoff.hpp.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock_types.hpp"

namespace berth::lifecycle {

// Kubernetes' fixed values.
struct ImagePullBackoffPolicy {
  Nanoseconds initial = std::chrono::seconds{10};
  Nanoseconds max = std::chrono::seconds{300};
  Nanoseconds forget_after = std::chrono::seconds{600};

  bool operator==(const ImagePullBackoffPolicy&) const = default;
};

struct ImagePullBackoff {
  struct Entry {
    Nanoseconds window{};
    WallTime last_failure{};
    std::string reason{};   // of the last failure: ErrImagePull, RegistryUnavailable, …
    std::string message{};  // its text

    bool operator==(const Entry&) const = default;
  };
  std::map<std::pair<std::string, std::string>, Entry> entries{};  // by pod uid and image

  bool operator==(const ImagePullBackoff&) const = default;
};

struct ImagePullVerdict {
  bool in_backoff = false;
  WallTime until{};
  std::string reason{};         // ImagePullBackOff, when in backoff
  std::string message{};        // of the waiting container
  std::string event_message{};  // of the Normal event "BackOff"
};

[[nodiscard]] ImagePullVerdict check_pull(const ImagePullBackoff& history,
                                          const ImagePullBackoffPolicy& policy,
                                          std::string_view pod_uid, std::string_view image,
                                          WallTime now);

[[nodiscard]] ImagePullBackoff record_pull_failure(ImagePullBackoff history,
                                                   const ImagePullBackoffPolicy& policy,
                                                   std::string pod_uid, std::string image,
                                                   std::string reason, std::string message,
                                                   WallTime now);

[[nodiscard]] ImagePullBackoff collect_garbage(ImagePullBackoff history,
                                               const ImagePullBackoffPolicy& policy, WallTime now);

}  // namespace berth::lifecycle
