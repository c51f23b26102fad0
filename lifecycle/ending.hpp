// SPDX-License-Identifier: Apache-2.0

// How a pod ends: why, within what time, what is left of it, and as what it is shown.
//
// One value for every way. Whoever ends a pod makes an Ending (the makers below hold what
// Kubernetes says of each way) and hands it to the one door, PodSet::order. A pod that ends already
// takes in the next order by `merge`. What is in force is an EndInForce: in the worker and in the
// store the same. Seconds are whole. The strings are the kubelet's (reference: node-pressure
// eviction, critical pod preemption, graceful node shutdown); tools match on them. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::lifecycle {

enum class EndCause : std::uint8_t {
  kCollected,        // it has finished, and more have than are kept: nothing follows it
  kManifestRemoved,  // the wish is gone, or another pod takes its place
  kDeleted,          // through the control API: a new incarnation follows while the wish stands
  kUnknownPod,       // found in the runtime, and nobody wishes it
  kActiveDeadline,   // its activeDeadlineSeconds are over
  kEvicted,          // the node ran low on a resource, or the pod exceeded a storage limit
  kPreempted,        // it makes room for a critical pod
  kNodeShutdown,     // the machine is about to be shut down
  kReturns,          // what kept it from running is over: a new incarnation follows
};

// Whether an ending for that cause alone leaves the pod in the listings.
[[nodiscard]] bool keeps_pod(EndCause cause);
// Whether a new incarnation follows such an ending, while the wish stands.
[[nodiscard]] bool has_successor(EndCause cause);

// What is left of the pod once nothing of it runs.
enum class Afterwards : std::uint8_t {
  kKeep,          // it stays in every listing, as finished, and is never started again
  kRemove,        // nothing
  kRemoveUnseen,  // nothing, and nobody is shown it from the order on (deletion by force)
};

// As what a pod is shown that was stopped before it finished. Shown once nothing of it runs.
struct ShownFailure {
  std::string reason{};
  std::string message{};
  std::optional<std::string>
      disruption{};  // message of the condition DisruptionTarget, if it is set
  // Failed even if every container exits 0. Otherwise such a pod ends Succeeded, without reason and
  // message, and keeps the condition.
  bool whatever_exits = false;
  bool operator==(const ShownFailure&) const = default;
};

struct Ending {
  EndCause cause = EndCause::kManifestRemoved;
  std::optional<std::chrono::seconds>
      grace{};  // overrides the pod's own; less than 1 s counts as 1
  Afterwards then = Afterwards::kRemove;
  std::optional<ShownFailure> failure{};  // none: the exit codes alone decide
  WallTime requested_at{};
  bool operator==(const Ending&) const = default;
};

[[nodiscard]] Ending manifest_removed(WallTime now);
[[nodiscard]] Ending collected(WallTime now);
// 1 s: what the kubelet gives pods whose spec is lost.
[[nodiscard]] Ending unknown_pod(WallTime now);
// `grace` none: the pod's own.
[[nodiscard]] Ending deleted(std::optional<std::chrono::seconds> grace, WallTime now);
// A finished pod that pressure or a shutdown of the node had stopped or refused.
[[nodiscard]] Ending returns(WallTime now);
// Its containers get the shortest period that there is.
[[nodiscard]] Ending deleted_by_force(WallTime now);
// Every container has its own period, as in a pod that ends by itself.
[[nodiscard]] Ending active_deadline(WallTime now);
// `message` as eviction words it. `grace`: 1 s for a hard threshold; for a soft one the smaller of
// evictionMaxPodGracePeriod and the pod's own.
[[nodiscard]] Ending evicted(std::string message, std::chrono::seconds grace, WallTime now);
// For a local storage limit: 1 s, and no condition.
[[nodiscard]] Ending evicted_for_storage(std::string message, WallTime now);
// For a critical pod; its own period.
[[nodiscard]] Ending preempted(WallTime now);
// `grace`: the smaller of its group's and its own.
[[nodiscard]] Ending node_shutdown(std::chrono::seconds grace, WallTime now);

[[nodiscard]] inline bool removes(const Ending& ending) {
  return ending.then != Afterwards::kKeep;
}
[[nodiscard]] inline bool by_force(const Ending& ending) {
  return ending.then == Afterwards::kRemoveUnseen;
}
// Whether nobody is shown the pod from the order on.
[[nodiscard]] inline bool hides(const Ending& ending) {
  return by_force(ending) || ending.cause == EndCause::kCollected;
}

// What a later order makes of the one before:
//   cause    of two that keep the pod the later one, but none after the deadline; one that removes
//            it replaces one that keeps it; of two that remove it the one of which more follows
//   grace    the shorter override
//   then     what leaves less
//   failure  the later one, but none after the deadline's; one without a condition keeps that of
//            the earlier one, which the pod may have already
//   instant  the earlier, of those that remove the pod if any does: deletionTimestamp is told by it
[[nodiscard]] Ending merge(const Ending& earlier, const Ending& later);

// An ending that has been taken in.
struct EndInForce {
  Ending ending{};
  std::int64_t grace_seconds = 0;  // for the pod as a whole; 0: every container has its own
  bool operator==(const EndInForce&) const = default;
};

// Whether the pod is Failed because its deadline is over, however its containers exit.
[[nodiscard]] inline bool past_deadline(const std::optional<EndInForce>& end) {
  return end && end->ending.failure && end->ending.failure->whatever_exits;
}
// Whether nothing of the pod stays.
[[nodiscard]] inline bool removes(const std::optional<EndInForce>& end) {
  return end && removes(end->ending);
}

// Whether the ending sets a period for the pod as a whole: the deadline does not.
[[nodiscard]] bool sets_period(const Ending& ending);
// What a later order is merged with: the period in force is stated, so that none lengthens it.
[[nodiscard]] Ending with_period(const EndInForce& end);
// The order as it counts for a pod of that phase. Call it when the order is given, not when a
// worker takes it in: a pod that had finished by itself is shown as nothing else, one that finishes
// while the order waits is.
[[nodiscard]] Ending as_given(Ending order, const std::optional<EndInForce>& before,
                              std::string_view phase);

// The status that is computed, and held back, from when the failure is taken in: Failed, with its
// reason, its message and its condition.
[[nodiscard]] api::PodStatus failed_status(const api::Pod& pod, api::PodStatus status,
                                           const ShownFailure& failure, WallTime now);

// Failed by an eviction. One whose containers all exited 0 is Succeeded, and not among them.
[[nodiscard]] bool is_evicted(const api::PodStatus& status);

// Who ends a pod, or what does; a clause.
[[nodiscard]] std::string end_cause_text(EndCause cause, bool forced);

}  // namespace berth::lifecycle
