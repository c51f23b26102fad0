// SPDX-License-Identifier: Apache-2.0

// How a pod ends: why, within what time, what remains of it, and how it is shown.
//
// One type covers every way to end. Whoever ends a pod makes an Ending (the factory functions below
// hold Kubernetes' rules for each way) and passes it to the single entry point, PodSet::order. If
// the pod already ends, the new order is merged in by `merge`. What is in force is an EndInForce,
// the same in the worker and in the store. Seconds are whole. The strings are the kubelet's
// (reference: node-pressure eviction, critical pod preemption, graceful node shutdown); tools match
// on them. Pure.
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
  kCollected,        // it finished, and exceeds the number of finished pods to keep: no successor
  kManifestRemoved,  // it is no longer desired, or another pod replaces it
  kDeleted,          // through the control API; a new incarnation follows while it is desired
  kUnknownPod,       // found in the runtime, but not desired
  kActiveDeadline,   // its activeDeadlineSeconds have passed
  kEvicted,          // the node ran low on a resource, or the pod exceeded a storage limit
  kPreempted,        // it makes room for a critical pod
  kNodeShutdown,     // the machine is about to be shut down
  kReturns,          // what kept it from running is over; a new incarnation follows
};

// Whether an ending for that cause alone leaves the pod in the listings.
[[nodiscard]] bool keeps_pod(EndCause cause);
// Whether a new incarnation follows such an ending, while the pod is desired.
[[nodiscard]] bool has_successor(EndCause cause);

// What remains of the pod once nothing of it runs.
enum class Afterwards : std::uint8_t {
  kKeep,          // it stays in every listing, as finished, and is never started again
  kRemove,        // nothing
  kRemoveUnseen,  // nothing, and it is hidden from the order on (forced deletion)
};

// How a pod that was stopped before it finished is shown, once nothing of it runs.
struct ShownFailure {
  std::string reason{};
  std::string message{};
  std::optional<std::string>
      disruption{};  // message of the condition DisruptionTarget, if it is set
  // If set, the pod is Failed even if every container exits 0. Otherwise such a pod ends Succeeded,
  // without reason and message, and keeps the condition.
  bool whatever_exits = false;
  bool operator==(const ShownFailure&) const = default;
};

struct Ending {
  EndCause cause = EndCause::kManifestRemoved;
  std::optional<std::chrono::seconds>
      grace{};  // overrides the pod's own; less than 1 s counts as 1
  Afterwards then = Afterwards::kRemove;
  std::optional<ShownFailure> failure{};  // unset if the exit codes alone decide
  WallTime requested_at{};
  bool operator==(const Ending&) const = default;
};

[[nodiscard]] Ending manifest_removed(WallTime now);
[[nodiscard]] Ending collected(WallTime now);
// 1 s: what the kubelet gives pods whose spec is lost.
[[nodiscard]] Ending unknown_pod(WallTime now);
// If `grace` is unset, the pod's own period applies.
[[nodiscard]] Ending deleted(std::optional<std::chrono::seconds> grace, WallTime now);
// For a finished pod that pressure or a shutdown of the node had stopped or refused.
[[nodiscard]] Ending returns(WallTime now);
// The containers get the shortest possible grace period.
[[nodiscard]] Ending deleted_by_force(WallTime now);
// Every container has its own grace period, as in a pod that ends by itself.
[[nodiscard]] Ending active_deadline(WallTime now);
// `message`: eviction's wording. `grace`: 1 s for a hard threshold; for a soft one the smaller of
// evictionMaxPodGracePeriod and the pod's own.
[[nodiscard]] Ending evicted(std::string message, std::chrono::seconds grace, WallTime now);
// For an exceeded local storage limit: 1 s, and no condition.
[[nodiscard]] Ending evicted_for_storage(std::string message, WallTime now);
// To make room for a critical pod; the pod's own period applies.
[[nodiscard]] Ending preempted(WallTime now);
// `grace`: the smaller of the priority group's period and the pod's own.
[[nodiscard]] Ending node_shutdown(std::chrono::seconds grace, WallTime now);

[[nodiscard]] inline bool removes(const Ending& ending) {
  return ending.then != Afterwards::kKeep;
}
[[nodiscard]] inline bool by_force(const Ending& ending) {
  return ending.then == Afterwards::kRemoveUnseen;
}
// Whether the pod is hidden from the order on.
[[nodiscard]] inline bool hides(const Ending& ending) {
  return by_force(ending) || ending.cause == EndCause::kCollected;
}

// Merges a later order with the earlier one:
//   cause    an order that removes the pod overrides one that keeps it. Of two that keep it, the
//            later wins, except that the deadline stands. Of two that remove it, the precedence is
//            unknown pod, deleted, returns, manifest removed, collected
//   grace    the shorter override
//   then     the one that leaves less of the pod
//   failure  the later, except that the deadline's stands; a later one without a condition keeps
//            the earlier one's, which the pod may already show
//   instant  the earlier; if only one order removes the pod, that order's: it is deletionTimestamp
[[nodiscard]] Ending merge(const Ending& earlier, const Ending& later);

// An ending that the pod's worker or record has accepted.
struct EndInForce {
  Ending ending{};
  std::int64_t grace_seconds = 0;  // for the pod as a whole; 0 if every container has its own
  bool operator==(const EndInForce&) const = default;
};

// Whether the pod is Failed because its deadline has passed, however its containers exit.
[[nodiscard]] inline bool past_deadline(const std::optional<EndInForce>& end) {
  return end && end->ending.failure && end->ending.failure->whatever_exits;
}
// Whether nothing of the pod remains.
[[nodiscard]] inline bool removes(const std::optional<EndInForce>& end) {
  return end && removes(end->ending);
}

// Whether the ending sets a grace period for the pod as a whole; the deadline does not.
[[nodiscard]] bool sets_period(const Ending& ending);
// The ending with which a later order is merged. It states the period in force, so that no order
// lengthens it.
[[nodiscard]] Ending with_period(const EndInForce& end);
// The order as it applies to a pod in that phase. Call it when the order is given, not when a
// worker accepts it: a pod that had finished by itself keeps its phase, but one that finishes while
// the order is pending is shown as the order says.
[[nodiscard]] Ending as_given(Ending order, const std::optional<EndInForce>& before,
                              std::string_view phase);

// The computed status from the moment the failure is accepted: Failed, with its reason, message and
// condition. It is not published until nothing of the pod runs.
[[nodiscard]] api::PodStatus failed_status(const api::Pod& pod, api::PodStatus status,
                                           const ShownFailure& failure, WallTime now);

// Whether the pod is Failed because of an eviction. A pod whose containers all exited 0 is
// Succeeded, and does not count.
[[nodiscard]] bool is_evicted(const api::PodStatus& status);

// Who or what ends the pod, as a clause.
[[nodiscard]] std::string end_cause_text(EndCause cause, bool forced);

}  // namespace berth::lifecycle
