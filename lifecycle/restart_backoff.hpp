// SPDX-License-Identifier: Apache-2.0

// How long a container that keeps ending has to wait for its next start.
//
// The window counts from the exit of the last instance: the first restart is immediate, then 10,
// 20, 40 … 300 s. The backoff starts over if more than 600 s passed between the last permitted
// start and the exit. The identity of an entry includes image and resources, so that an edit resets
// it. The history is a value: `check_restart` queries it, `record_start` returns the history after
// a start, `collect_garbage` drops old entries, whether their containers run, wait or were removed.
// Wall time, because exits are reported in it. Pure.
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

// Kubernetes' values; crashLoopBackOff.maxContainerRestartPeriod changes `max`.
struct RestartBackoffPolicy {
  Nanoseconds initial = std::chrono::seconds{10};
  Nanoseconds max = std::chrono::seconds{300};
  Nanoseconds reset_after = std::chrono::seconds{600};

  bool operator==(const RestartBackoffPolicy&) const = default;
};

// The policy with `longest` as the longest wait; it also caps the first wait.
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

// The wait in force. A wait that was recorded under a longer limit is capped by the current one.
[[nodiscard]] Nanoseconds window_of(const RestartBackoff::Entry& entry,
                                    const RestartBackoffPolicy& policy);

struct RestartVerdict {
  bool in_backoff = false;
  Nanoseconds window{};  // the window held now; 0 = none
  // If in backoff: the end of the window, or the time at which its entry is forgotten, if that
  // comes first.
  WallTime until{};
  std::string reason{};   // CrashLoopBackOff, when in backoff
  std::string message{};  // of the waiting container
};

// When the newest exited instance of that name ended; unset if no instance has exited. If the agent
// has just stopped that instance in order to restart it, the exit of the previous instance counts.
[[nodiscard]] std::optional<WallTime> last_exit(const RuntimePod& runtime, std::string_view name);

// The same for `record_start`: the exit of an instance that the agent has stopped counts as well.
// Every restart makes the next window longer, even one that did not have to wait itself.
[[nodiscard]] std::optional<WallTime> exit_before_start(const RuntimePod& runtime,
                                                        std::string_view name);

[[nodiscard]] RestartVerdict check_restart(const RestartBackoff& history,
                                           const RestartBackoffPolicy& policy,
                                           const RestartIdentity& identity,
                                           const std::optional<WallTime>& last_exit, WallTime now);

// The same for a container as the runtime has it. An instance that was stopped in order to be
// restarted (its definition changed, a probe failed) is restarted at once, unless the previous
// instance had ended less than a window earlier: then the restart waits like any other.
[[nodiscard]] RestartVerdict check_restart(const RestartBackoff& history,
                                           const RestartBackoffPolicy& policy,
                                           const RestartIdentity& identity,
                                           const RuntimePod& runtime, WallTime now);

// Records a start that `check_restart` permitted: the next window is doubled. A start without an
// earlier exit is the first one and changes nothing.
[[nodiscard]] RestartBackoff record_start(RestartBackoff history,
                                          const RestartBackoffPolicy& policy,
                                          const RestartIdentity& identity,
                                          const std::optional<WallTime>& last_exit, WallTime now);

// Drops entries whose last start is longer ago than `reset_after`, which also ends the wait of a
// container that is still in backoff.
[[nodiscard]] RestartBackoff collect_garbage(RestartBackoff history,
                                             const RestartBackoffPolicy& policy, WallTime now);

}  // namespace berth::lifecycle
