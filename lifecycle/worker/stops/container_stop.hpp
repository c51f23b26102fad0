// SPDX-License-Identifier: Apache-2.0

// One container's stop: the record of how far it has come.
//
//   asked ──▶ waiting ──▶ preStop ──▶ signalled ──▶ gone (no record)
//                │  ▲───────────────────┘ a call failed
//                └──────▶ signalled        no hook, or no time for it
//
// The record is created when somebody asks to stop a single container, or when the stop's grace
// period begins, and is removed once the runtime shows the container's end and every call has been
// answered. The part of it that outlives berthd is a StopMemory (pod_memory.hpp). Plain values,
// pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/clock_types.hpp"
#include "cri/types.hpp"
#include "lifecycle/grace_period.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/pre_stop_step.hpp"

namespace berth::lifecycle {

// One instant on both clocks.
struct Instant {
  SteadyTime steady{};
  WallTime wall{};
};

// The StopContainer calls for one container. Each lasts until the container has ended; a shortened
// grace period adds another call to those under way.
struct StopCalls {
  std::multiset<SteadyTime> kill_at{};    // of each under way; the runtime obeys the earliest
  bool one_failed = false;                // since the last was made, while another is under way
  std::optional<SteadyTime> last_sent{};  // whatever its outcome; unset if no call was made

  [[nodiscard]] bool under_way() const { return !kill_at.empty(); }
};

// The grace period, and what the store has of the stop.
struct StopInForce {
  StopPeriod period{};
  StopMemory stored{};
};

enum class StopStage : std::uint8_t {
  kAsked,      // its grace period has not begun
  kWaiting,    // for its turn, for the store, or until a failed call is retried
  kPreStop,    // its preStop hook runs
  kSignalled,  // a StopContainer call is under way
};

struct ContainerStop {
  std::string name{};                     // of the container
  std::optional<ContainerKill> single{};  // asked for while the pod lives; unset if with its pod
  std::optional<StopInForce> in_force{};  // unset if not begun, or the container has ended
  std::optional<PreStop> pre_stop{};      // unset if its hook has not begun
  bool killing_reported = false;          // by its Killing event
  StopCalls calls{};

  [[nodiscard]] StopStage stage() const;
  // The message of its Killing event.
  [[nodiscard]] std::string message() const;
};

// The stored form of a stop with that period.
[[nodiscard]] StopMemory stored_as(const StopPeriod& period, bool reached, const Instant& now);
// The grace period of a stored stop.
[[nodiscard]] StopPeriod recalled_period(const StopMemory& stop, const Instant& now);

// Whether the container turns out to have ended before its stop began. Call this as soon as its end
// shows: the wall clock may have been set back until then, and may be set again later.
[[nodiscard]] bool ended_before(const cri::ContainerStatus& status, const StopInForce& stop,
                                const Instant& now);

}  // namespace berth::lifecycle
