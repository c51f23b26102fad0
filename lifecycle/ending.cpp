// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ending.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lifecycle/reasons.hpp"
#include "lifecycle/status/conditions.hpp"

namespace berth::lifecycle {
namespace {

using std::chrono::seconds;

// For hard thresholds and storage limits, for forced deletions and for pods whose spec is lost.
constexpr seconds kShortest{1};

constexpr std::string_view kEvictedReason = "Evicted";

using enum EndCause;

// Rows: the earlier cause; columns: the later one; both in the order of EndCause.
constexpr std::size_t kCauses = 9;
constexpr EndCause kCol = kCollected;
constexpr EndCause kMan = kManifestRemoved;
constexpr EndCause kDel = kDeleted;
constexpr EndCause kUnk = kUnknownPod;
constexpr EndCause kDdl = kActiveDeadline;
constexpr EndCause kEvi = kEvicted;
constexpr EndCause kPre = kPreempted;
constexpr EndCause kShu = kNodeShutdown;
constexpr EndCause kRet = kReturns;
constexpr std::array<std::array<EndCause, kCauses>, kCauses> kMergedCause{{
    {kCol, kMan, kDel, kUnk, kCol, kCol, kCol, kCol, kRet},  // collected
    {kMan, kMan, kDel, kUnk, kMan, kMan, kMan, kMan, kRet},  // manifest removed
    {kDel, kDel, kDel, kUnk, kDel, kDel, kDel, kDel, kDel},  // deleted
    {kUnk, kUnk, kUnk, kUnk, kUnk, kUnk, kUnk, kUnk, kUnk},  // unknown pod
    {kCol, kMan, kDel, kUnk, kDdl, kDdl, kDdl, kDdl, kRet},  // active deadline
    {kCol, kMan, kDel, kUnk, kDdl, kEvi, kPre, kShu, kRet},  // evicted
    {kCol, kMan, kDel, kUnk, kDdl, kEvi, kPre, kShu, kRet},  // preempted
    {kCol, kMan, kDel, kUnk, kDdl, kEvi, kPre, kShu, kRet},  // node shutdown
    {kRet, kRet, kDel, kUnk, kRet, kRet, kRet, kRet, kRet},  // returns
}};

std::size_t place_of(EndCause cause) {
  return static_cast<std::size_t>(cause);
}

std::optional<seconds> shorter(std::optional<seconds> a, std::optional<seconds> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

std::optional<ShownFailure> merged_failure(const std::optional<ShownFailure>& earlier,
                                           const std::optional<ShownFailure>& later) {
  if (!earlier || !later) return earlier ? earlier : later;
  if (earlier->whatever_exits) return earlier;
  ShownFailure merged = *later;
  if (!merged.disruption) merged.disruption = earlier->disruption;
  return merged;
}

WallTime asked_at(const Ending& earlier, const Ending& later) {
  if (removes(earlier) == removes(later)) return std::min(earlier.requested_at, later.requested_at);
  return removes(later) ? later.requested_at : earlier.requested_at;
}

Ending kept(EndCause cause, std::optional<seconds> grace, ShownFailure failure, WallTime now) {
  return {.cause = cause,
          .grace = grace,
          .then = Afterwards::kKeep,
          .failure = std::move(failure),
          .requested_at = now};
}

}  // namespace

bool keeps_pod(EndCause cause) {
  return cause == kActiveDeadline || cause == kEvicted || cause == kPreempted ||
         cause == kNodeShutdown;
}

bool has_successor(EndCause cause) {
  return cause == kDeleted || cause == kReturns;
}

Ending manifest_removed(WallTime now) {
  return {.cause = kManifestRemoved, .requested_at = now};
}

Ending collected(WallTime now) {
  return {.cause = kCollected, .requested_at = now};
}

Ending unknown_pod(WallTime now) {
  return {.cause = kUnknownPod, .grace = kShortest, .requested_at = now};
}

Ending deleted(std::optional<seconds> grace, WallTime now) {
  return {.cause = kDeleted, .grace = grace, .requested_at = now};
}

Ending returns(WallTime now) {
  return {.cause = kReturns, .requested_at = now};
}

Ending deleted_by_force(WallTime now) {
  return {.cause = kDeleted,
          .grace = kShortest,
          .then = Afterwards::kRemoveUnseen,
          .requested_at = now};
}

Ending active_deadline(WallTime now) {
  return kept(kActiveDeadline, {},
              {.reason = std::string(kDeadlineExceeded),
               .message = std::string(kDeadlineExceededMessage),
               .whatever_exits = true},
              now);
}

Ending evicted(std::string message, seconds grace, WallTime now) {
  return kept(kEvicted, grace,
              {.reason = std::string(kEvictedReason), .message = message, .disruption = message},
              now);
}

Ending evicted_for_storage(std::string message, WallTime now) {
  return kept(kEvicted, kShortest,
              {.reason = std::string(kEvictedReason), .message = std::move(message)}, now);
}

Ending preempted(WallTime now) {
  return kept(kPreempted, {},
              {.reason = "Preempting",
               .message = "Preempted in order to admit critical pod",
               .disruption = "Pod was preempted by Kubelet to accommodate a critical pod."},
              now);
}

Ending node_shutdown(seconds grace, WallTime now) {
  const std::string message = "Pod was terminated in response to imminent node shutdown.";
  return kept(kNodeShutdown, grace,
              {.reason = "Terminated", .message = message, .disruption = message}, now);
}

Ending merge(const Ending& earlier, const Ending& later) {
  return {.cause = kMergedCause.at(place_of(earlier.cause)).at(place_of(later.cause)),
          .grace = shorter(earlier.grace, later.grace),
          .then = std::max(earlier.then, later.then),
          .failure = merged_failure(earlier.failure, later.failure),
          .requested_at = asked_at(earlier, later)};
}

bool sets_period(const Ending& ending) {
  return ending.cause != kActiveDeadline || ending.grace.has_value();
}

Ending with_period(const EndInForce& end) {
  Ending ending = end.ending;
  if (sets_period(ending)) ending.grace = seconds(end.grace_seconds);
  return ending;
}

Ending as_given(Ending order, const std::optional<EndInForce>& before, std::string_view phase) {
  const bool fails_already = before && before->ending.failure;
  if (is_terminal_phase(phase) && !fails_already) order.failure.reset();
  return order;
}

api::PodStatus failed_status(const api::Pod& pod, api::PodStatus status,
                             const ShownFailure& failure, WallTime now) {
  status.phase = kFailed;
  status.reason = failure.reason;
  status.message = failure.message;
  if (!failure.disruption) return status;
  api::PodCondition condition{.type = std::string(kDisruptionTarget),
                              .observedGeneration = pod.metadata.generation,
                              .status = "True",
                              .lastTransitionTime = api::Time{now}.whole_seconds(),
                              .reason = std::string(kTerminationByKubelet),
                              .message = *failure.disruption};
  const auto place =
      std::ranges::find(status.conditions, kDisruptionTarget, &api::PodCondition::type);
  if (place == status.conditions.end()) {
    status.conditions.push_back(std::move(condition));
    return status;
  }
  if (place->status == condition.status) condition.lastTransitionTime = place->lastTransitionTime;
  *place = std::move(condition);
  return status;
}

bool is_evicted(const api::PodStatus& status) {
  return status.phase == kFailed && status.reason == kEvictedReason;
}

std::string end_cause_text(EndCause cause, bool forced) {
  switch (cause) {
    case kCollected:
      return "more pods had finished than are kept";
    case kManifestRemoved:
      return "its manifest was removed, or now defines another pod";
    case kDeleted:
      return forced ? "it was deleted at once through the control socket"
                    : "it was deleted through the control socket";
    case kUnknownPod:
      return "no manifest defines it";
    case kActiveDeadline:
      return "its activeDeadlineSeconds have expired";
    case kEvicted:
      return "it was evicted";
    case kPreempted:
      return "it makes room for a critical pod";
    case kNodeShutdown:
      return "the node is shutting down";
    case kReturns:
      return "what kept it from running is over, so a new incarnation replaces it";
  }
  return "it was to end";
}

}  // namespace berth::lifecycle
