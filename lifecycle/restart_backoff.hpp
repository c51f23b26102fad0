// SPDX-License-Identifier: Apache-2.0

// How long a container that keeps ending has to wait for its next start.
//
// The window counts from the exit of the last instance: the first restart is free, then 10, 20,
// 40 … 300 s. It starts over if more than 600 s passed between the last permitted start and the
// exit. The identity of an entry includes image and resources, so that an edit is a fresh start.
// The history is a value: `check` asks, `record_start` returns what it is after a start,
// `collect_garbage` forgets old entries, whether their containers run, wait or are gone. Wall time,
// because exits are reported in it. Pure.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "api/pod.hpp"
#include "api/resources.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// Kubernetes' values, of which crashLoopBackOff.maxContainerRestartPeriod changes the longest.
struct RestartBackoffPolicy {
  Nanoseconds initial = std::chrono::seconds{10};
  Nanoseconds max = std::chrono::seconds{300};
  Nanoseconds reset_after = std::chrono::seconds{600};

  bool operator==(const RestartBackoffPolicy&) const = default;
};

// With this as the longest wait, which is the first one, too, where that would be longer.
[[nodiscard]] RestartBackoffPolicy restart_backoff_policy(Nanoseconds longest);

struct RestartIdentity {
  std::string pod_name{};
  std::string pod_namespace{};
  std::string pod_uid{};
  std::string container{};
  std::string image{};
  api::ResourceRequirements resources{};

  [[nodiscard]] std::string key() const;
};

[[nodiscard]] RestartIdentity restart_identity(const api::Pod& pod, std::string container,
                                               std::string image,
                                               const api::ResourceRequirements& resources);
[[nodiscard]] RestartIdentity restart_identity(const api::Pod& pod,
                                               const api::Container& container);

struct RestartBackoff {
  struct Entry {
    Nanoseconds window{};
    WallTime last_start{};

    bool operator==(const Entry&) const = default;
  };
  std::map<std::string, Entry> entries{};  // by RestartIdentity::key

  bool operator==(const RestartBackoff&) const = default;
};

// The wait in force. One that was recorded under a longer limit is no longer than the limit now.
[[nodiscard]] Nanoseconds window_of(const RestartBackoff::Entry& entry,
                                    const RestartBackoffPolicy& policy);

struct RestartVerdict {
  bool in_backoff = false;
  Nanoseconds window{};  // the window held now; 0 = none
  // When in backoff: the end of the window, or when its entry is forgotten, if that comes first.
  WallTime until{};
  std::string reason{};   // CrashLoopBackOff, when in backoff
  std::string message{};  // of the waiting container
};

// When the newest exited instance of that name ended; none if no instance has exited. Of one that
// the agent has just stopped in order to restart it, when the one before it did.
[[nodiscard]] std::optional<WallTime> last_exit(const RuntimePod& runtime, std::string_view name);

[[nodiscard]] RestartVerdict check_restart(const RestartBackoff& history,
                                           const RestartBackoffPolicy& policy,
                                           const RestartIdentity& identity,
                                           const std::optional<WallTime>& last_exit, WallTime now);

// The same for a container as the runtime has it. One that was stopped in order to be restarted
// (its definition changed, a probe failed) starts at once, unless the one before it had ended less
// than a window earlier: then it waits like any other.
[[nodiscard]] RestartVerdict check_restart(const RestartBackoff& history,
                                           const RestartBackoffPolicy& policy,
                                           const RestartIdentity& identity,
                                           const RuntimePod& runtime, WallTime now);

// After a start that `check_restart` permitted: the next window is doubled. Without an exit
// before it, it is the first start, which costs nothing.
[[nodiscard]] RestartBackoff record_start(RestartBackoff history,
                                          const RestartBackoffPolicy& policy,
                                          const RestartIdentity& identity,
                                          const std::optional<WallTime>& last_exit, WallTime now);

// Drops entries whose last start is further back than `reset_after`: what still waits then waits no
// longer.
[[nodiscard]] RestartBackoff collect_garbage(RestartBackoff history,
                                             const RestartBackoffPolicy& policy, WallTime now);

}  // namespace berth::lifecycle
