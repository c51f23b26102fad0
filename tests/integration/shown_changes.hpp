// SPDX-License-Identifier: Apache-2.0

// How a pod as shown may change, from one state to a later one of the same incarnation, however
// many berthds were killed between them: what may never change (the id behind a restart count, an
// address, a deadline, the end of a backoff), what may only grow (restart counts), and what may
// change only for a reason that is shown as well (Ready). Pure.
//
// Restarts come from containers that exit by themselves: the compared pods have no probe that fails
// on purpose, and never lose their sandbox.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::integration {

// The label that holds what a test expects of a pod:
inline constexpr const char* kExpectation = "expectation";
// The pod was ready when the kills began, and does not change.
inline constexpr const char* kReadyPod = "ready";
// The pod runs, is never Ready, and does not change.
inline constexpr const char* kUnreadyPod = "unready";
// The pod had finished before the kills began.
inline constexpr const char* kOverPod = "over";
// The pod stays, and its containers exit by themselves, or wait.
inline constexpr const char* kRestartingPod = "restarting";
// The pod's containers end on KILL only.
inline constexpr const char* kDeafPod = "deaf";
// The pod is created, removed and replaced.
inline constexpr const char* kChangingPod = "changing";

// How late things may happen on a busy machine: a start after its backoff, a KILL after its
// deadline. Shorter than any backoff or grace period that a test uses it to distinguish.
inline constexpr std::chrono::seconds kLate{8};

// One sentence for each difference.
using Differences = std::vector<std::string>;

[[nodiscard]] std::string expectation(const api::Pod& pod);
[[nodiscard]] std::vector<const api::ContainerStatus*> container_statuses(const api::Pod& pod);

// When the container may be started next, according to its status: its last exit plus the window in
// the waiting message. `std::nullopt` if it is not waiting for a backoff.
[[nodiscard]] std::optional<WallTime> backoff_over_at(const api::ContainerStatus& status);

// When the later state was shown.
struct ShownAt {
  WallTime now{};
  // From this time on, berthd has been running and able to act in time.
  WallTime undisturbed_since{};
  // Whether the previous state had been shown for a while when berthd was killed: status that is
  // only shown is persisted alongside, and for anything it had no time to persist the next berthd
  // may show another time.
  bool stored_before = true;
  // Whether the pod's containers were killed but the runtime does not report their exits yet.
  bool ends_held_back = false;
};

[[nodiscard]] Differences forbidden_changes(const api::Pod& before, const api::Pod& after,
                                            const ShownAt& at);

// Violations within one state.
[[nodiscard]] Differences impossible(const api::Pod& shown, const ShownAt& at);

// One line, for the report of a difference.
[[nodiscard]] std::string summary(const api::Pod& pod);

}  // namespace berth::integration
