// SPDX-License-Identifier: Apache-2.0

// The grace period of a pod and of each of its containers, in seconds.
//
// The pod's grace period is recomputed with every request to end it and only ever shrinks; a
// container's is derived from it when that container is stopped. Whole seconds, as in the API.
// Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "cri/types.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/pod_actions.hpp"

namespace berth::lifecycle {

// The shortest grace period a pod gets.
inline constexpr std::int64_t kShortestPodGraceSeconds = 1;
// The longest grace period of a pod or container, a century. Requests are unbounded, and a much
// longer period would overflow nanoseconds.
inline constexpr std::int64_t kLongestGraceSeconds = std::int64_t{100} * 365 * 24 * 60 * 60;
// The shortest timeout passed to the runtime, whatever the pod's period; the kubelet's value.
inline constexpr std::int64_t kShortestStopTimeoutSeconds = 2;

struct GraceRequest {
  std::optional<std::int64_t> deletion_seconds{};     // metadata.deletionGracePeriodSeconds
  std::optional<std::int64_t> termination_seconds{};  // spec.terminationGracePeriodSeconds
  std::optional<std::int64_t> override_seconds{};     // eviction, preemption, shutdown, operator
};
[[nodiscard]] GraceRequest grace_request(const api::Pod& pod,
                                         std::optional<std::int64_t> override_seconds);

struct EffectiveGrace {
  std::int64_t seconds = 0;
  bool shortened = false;  // another period was in force before

  bool operator==(const EffectiveGrace&) const = default;
};

// `previous` is the period in force, 0 = none yet. Computed as the kubelet does, including its one
// flaw: a deletion period of 0 together with an override lets the period grow to the override.
[[nodiscard]] EffectiveGrace effective_grace(std::int64_t previous, const GraceRequest& request);

// An order to end a pod, as its worker accepts it.
struct GraceQuestion {
  RefOrValue<api::Pod> pod{};
  std::int64_t previous = 0;  // the period in force; 0 if none yet
  std::optional<std::int64_t> override_seconds{};
  EndCause cause = EndCause::kManifestRemoved;  // this and the next only explain
  bool forced = false;
  WallTime requested_at{};
};

struct GraceDecision {
  std::int64_t seconds = 0;
  bool shortened = false;  // another period was in force before
  WallTime ends_at{};      // metadata.deletionTimestamp: whole seconds
};
// A period that is in force never grows.
[[nodiscard]] GraceDecision decide_grace(const GraceQuestion& question);

// For an ending that has been merged with the one before (ending.hpp). The question refers to
// `pod`.
[[nodiscard]] GraceQuestion grace_question(const api::Pod& pod, const Ending& ending,
                                           std::int64_t previous);

// A grace period, with the question that it answers.
struct DecidedGrace {
  GraceQuestion question{};
  GraceDecision decision{};

  // Whether the pod has that period only from this decision on.
  [[nodiscard]] bool is_new() const { return question.previous == 0 || decision.shortened; }
};

// How a pod ends, by an order that has just been accepted.
struct OrderInForce {
  EndInForce end{};
  std::optional<DecidedGrace> grace{};  // unset if every container has its own
};
// The order merged with the one before, with the grace period that is in force for the pod from now
// on. Only this function decides that period. The question refers to `pod`.
[[nodiscard]] OrderInForce in_force(const api::Pod& pod, const std::optional<EndInForce>& before,
                                    const Ending& order);

// How long the kubelet waits for a pod that the node ends, before it reports it as late: one and a
// half times its grace period, and at least ten seconds.
[[nodiscard]] Nanoseconds longest_end(std::int64_t grace_seconds);

// Who ends the pod, and whose period applies, each as a clause.
[[nodiscard]] Reasons grace_reasons(const GraceQuestion& question, const GraceDecision& decision);

// The part of the pod that decide_grace reads.
[[nodiscard]] api::Pod grace_part(const api::Pod& pod);

// What was stored in a container's annotations at its creation, for when the pod's spec is lost.
struct StoredStop {
  std::optional<std::int64_t> termination_seconds{};
  std::optional<std::int64_t> deletion_seconds{};
  bool has_pre_stop = false;
};
[[nodiscard]] StoredStop stored_stop(const cri::StringMap& annotations);

struct StopGrace {
  std::int64_t base_seconds = 0;       // before an override
  std::int64_t effective_seconds = 0;  // with it; shared by the hook, the waiting and the runtime
  bool run_pre_stop = false;
};

// `reason` decides whether a probe's own grace period applies.
[[nodiscard]] StopGrace stop_grace(const api::Pod& pod, const api::Container& container,
                                   KillReason reason, std::optional<std::int64_t> override_seconds);
[[nodiscard]] StopGrace stop_grace(const StoredStop& stored,
                                   std::optional<std::int64_t> override_seconds);

// The grace period of one container's stop. It is fixed when the stop is decided. Once the preStop
// hook has begun or the signal has been sent, the period can only be shortened.
struct StopPeriod {
  SteadyTime begun_at{};
  std::int64_t seconds = 0;

  [[nodiscard]] SteadyTime ends_at() const { return begun_at + std::chrono::seconds(seconds); }
  bool operator==(const StopPeriod&) const = default;
};

// A stop that is under way when an order to end the pod arrives.
struct OrderedStop {
  StopPeriod period{};       // as it is
  bool untouched = false;    // neither hook nor signal has reached the container yet
  SteadyTime ordered_at{};   // when the end of the pod was first asked for
  std::int64_t seconds = 0;  // the period that the order gives
};
// If neither hook nor signal has reached the container, the order overrides a stop decided before
// it (the sandbox died, a probe failed): the stop gets the order's period, whether longer or
// shorter. Any other stop ends at its own end or when the order's seconds have passed from `now`,
// whichever is sooner.
[[nodiscard]] StopPeriod ordered_period(const OrderedStop& stop, SteadyTime now);

// What remains for the runtime after the hook and the wait for other containers; both count in
// whole seconds, rounded down.
[[nodiscard]] std::int64_t stop_timeout_seconds(std::int64_t effective_seconds,
                                                Nanoseconds pre_stop_took, Nanoseconds waited);

// The message of the Killing event for a stop that has none of its own.
[[nodiscard]] std::string default_kill_message(std::string_view container);

}  // namespace berth::lifecycle
