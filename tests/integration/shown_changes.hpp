// What may become of a pod as it is shown, from one state to a later one of the same incarnation,
// however many berthds were killed between them: what may never change (the id behind a restart
// count, an address, a deadline, when a backoff is over), what may only grow (restart counts), and
// what may change for a reason alone that is shown as well (Ready). Pure.
//
// Restarts come from containers that end by themselves: the pods compared have no probe that fails
// on purpose, and no sandbox that goes.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::integration {

// What a test expects of a pod, in a label:
inline constexpr const char* kExpectation = "expectation";
// It was ready when the kills began, and nothing of it changes.
inline constexpr const char* kReadyPod = "ready";
// It runs, is never Ready, and nothing of it changes.
inline constexpr const char* kUnreadyPod = "unready";
// It ended before the kills began.
inline constexpr const char* kOverPod = "over";
// It stays, and its containers end by themselves, or wait.
inline constexpr const char* kRestartingPod = "restarting";
// Its containers end by KILL alone.
inline constexpr const char* kDeafPod = "deaf";
// It comes, goes and is replaced.
inline constexpr const char* kChangingPod = "changing";

// How late something may be on a busy machine: a start after its backoff, a KILL after its
// deadline. Less than any backoff or grace period that a test tells apart by it.
inline constexpr std::chrono::seconds kLate{8};

// A sentence each.
using Differences = std::vector<std::string>;

[[nodiscard]] std::string expectation(const api::Pod& pod);
[[nodiscard]] std::vector<const api::ContainerStatus*> container_statuses(const api::Pod& pod);

// When the container may be started next, as its status tells: by its last exit and by the window
// in the waiting message. None: it does not wait for that.
[[nodiscard]] std::optional<WallTime> backoff_over_at(const api::ContainerStatus& status);

// When the later state was shown.
struct ShownAt {
  WallTime now{};
  // Whoever has to act at some time has been there from then on.
  WallTime undisturbed_since{};
  // The state before had been shown for a while when berthd was killed: what is merely shown is
  // stored beside, and of what there was no time to store the next berthd may tell another time.
  bool stored_before = true;
};

[[nodiscard]] Differences forbidden_changes(const api::Pod& before, const api::Pod& after,
                                            const ShownAt& at);

// What is wrong with one state by itself.
[[nodiscard]] Differences impossible(const api::Pod& shown, const ShownAt& at);

// One line, for who reads of a difference.
[[nodiscard]] std::string summary(const api::Pod& pod);

}  // namespace berth::integration
