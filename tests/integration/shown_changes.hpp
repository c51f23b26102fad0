// SPDX-License-Identifier: Apache-2.0

// How a pod as shown may change, from one state to a later one of the same incarnation, however
// many berthds were killed between them: what may never change (the id behind a restart count, an
// address, a deadline, the end of a backoff), what may only grow (restart counts), and what may
// change only for a reason that is shown as well (Ready). Pure.
//
// Restarts come from containers that end by themselves: the compared pods have no probe that fails
// on purpose, and no sandbox that goes.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::integration {

// The label with a test's expectation of a pod:
inline constexpr const char* kExpectation = "expectation";
// It was ready when the kills began, and nothing of it changes.
inline constexpr const char* kReadyPod = "ready";
// It runs, is never Ready, and nothing of it changes.
inline constexpr const char* kUnreadyPod = "unready";
// It ended before the kills began.
inline constexpr const char* kOverPod = "over";
// It stays, and its containers end by themselves, or wait.
inline constexpr const char* kRestartingPod = "restarting";
// Its containers end on KILL only.
inline constexpr const char* kDeafPod = "deaf";
// It comes, goes and is replaced.
inline constexpr const char* kChangingPod = "changing";

// How late things may happen on a busy machine: a start after its backoff, a KILL after its
// deadline. Less than any backoff or grace period that a test distinguishes by it.
inline constexpr std::chrono::seconds kLate{8};

// One sentence each.
using Differences = std::vector<std::string>;

[[nodiscard]] std::string expectation(const api::Pod& pod);
[[nodiscard]] std::vector<const api::ContainerStatus*> container_statuses(const api::Pod& pod);

// When the container may be started next, according to its status: from its last exit and the
// window in the waiting message. `std::nullopt`: it does not wait for that.
[[nodiscard]] std::optional<WallTime> backoff_over_at(const api::ContainerStatus& status);

// When the later state was shown.
struct ShownAt {
  WallTime now{};
  // berthd has been running since then to act in time.
  WallTime undisturbed_since{};
  // The previous state had been shown for a while when berthd was killed: status that is only shown
  // is persisted alongside, and for what there was no time to persist the next berthd may show
  // another time.
  bool stored_before = true;
  // Its containers were killed, and the runtime does not say yet that they ended.
  bool ends_held_back = false;
};

[[nodiscard]] Differences forbidden_changes(const api::Pod& before, const api::Pod& after,
                                            const ShownAt& at);

// Violations of one state by itself.
[[nodiscard]] Differences impossible(const api::Pod& shown, const ShownAt& at);

// One line, for reports of a difference.
[[nodiscard]] std::string summary(const api::Pod& pod);

}  // namespace berth::integration
