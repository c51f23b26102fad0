// SPDX-License-Identifier: Apache-2.0

// Which thresholds are met, since when, and which conditions the node has because of them.
//
// Pure: (state, observations, now) → new state. The rules are the kubelet's. A threshold is met
// when its value is beyond it (equality is not); once it was due it stays met until the minimum
// reclaim is gained as well; any moment in which it is not met restarts its grace period. Soft
// thresholds raise the node condition at once, before their grace period; a condition clears only
// when its thresholds have not been met for the transition period. A measurement no newer than the
// last pass decides nothing (the same sample would evict twice), but still changes conditions; a
// sample without a time counts as new. An average decides nothing either until its whole window
// lies after the last eviction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/observations.hpp"
#include "eviction/threshold.hpp"

namespace berth::eviction {

struct FirstObserved {
  Threshold threshold{};
  SteadyTime at{};

  bool operator==(const FirstObserved&) const = default;
};

// How long no pod is evicted for a disk after nothing is left of the last evicted pod: runtimes
// remove writable layers asynchronously (containerd's garbage collector), and a file system takes
// seconds to free large files. As long as the kubelet's monitoring interval.
inline constexpr Nanoseconds kDiskIsFreed = std::chrono::seconds(10);

// Carried from pass to pass; initially empty.
struct PressureState {
  std::vector<FirstObserved> first_observed{};
  std::map<PressureCondition, SteadyTime> last_observed{};  // per condition
  std::set<PressureCondition> conditions{};                 // shown by the node
  std::vector<Threshold> due{};                             // met, with expired grace periods
  std::map<Signal, std::optional<WallTime>> samples{};      // when each signal was measured
  // When a pod was evicted for pressure, or when nothing of it was left: averages whose window
  // began before that still include that pod's effect.
  std::optional<SteadyTime> last_eviction{};
  // When nothing was left of a pod evicted for a disk. Set by pod_is_gone (cycle.hpp).
  std::optional<SteadyTime> last_gone_for_disk{};

  bool operator==(const PressureState&) const = default;
};

// The standing of a threshold.
enum class ThresholdStanding : std::uint8_t {
  kNoReading,  // its signal could not be measured: skipped
  kNotMet,
  kWithinGrace,  // met, or kept by the minimum reclaim; soft, and not for long enough
  // Due, but measured before the last pass; or an average whose window includes a time in which the
  // last evicted pod still ran; or on a disk that may not have freed the last evicted pod's data
  // yet.
  kStaleReading,
  kDue,
};

struct JudgedThreshold {
  Threshold threshold{};
  ThresholdStanding standing = ThresholdStanding::kNotMet;
  std::optional<Observation> observation{};
  std::optional<api::Quantity> limit{};     // the threshold as an amount
  std::optional<api::Quantity> resolved{};  // limit shifted by the minimum reclaim, if it was due
  // The value is no longer beyond the limit: only the minimum reclaim keeps the threshold met.
  bool kept_by_reclaim = false;
  std::optional<SteadyTime> first_observed{};

  bool operator==(const JudgedThreshold&) const = default;
};

// Whether the value is beyond the limit, or the minimum reclaim is not gained yet.
[[nodiscard]] inline bool is_met(const JudgedThreshold& judged) {
  return judged.standing != ThresholdStanding::kNoReading &&
         judged.standing != ThresholdStanding::kNotMet;
}

struct Judgement {
  PressureState state{};
  std::vector<JudgedThreshold> thresholds{};  // every one that was checked
};

// What a due threshold waits for before any pod is evicted for it.
enum class DueWait : std::uint8_t {
  kNewSample,  // a measurement after the last pass
  kAverage,    // an average that includes nothing of what the last evicted pod did
  kFreedDisk,  // the disk may not have freed the last evicted pod's data yet
  kReclaim,    // the node is reclaiming what it can
  kPodEnd,     // the end of a pod that was evicted
};
[[nodiscard]] std::string_view to_string(DueWait wait);

struct Wait {
  DueWait what{};
  std::optional<Nanoseconds> left{};  // at least; unset if unknown

  bool operator==(const Wait&) const = default;
};

// Why a threshold of that signal, were it due, would decide nothing yet from that observation: the
// longest of the first three waits. Unset if it would decide.
[[nodiscard]] std::optional<Wait> due_wait(const PressureState& before, Signal signal,
                                           const Observation& seen, SteadyTime now);

[[nodiscard]] Judgement judge(const PressureState& before, const std::vector<Threshold>& thresholds,
                              const Observations& observations, Nanoseconds transition_period,
                              SteadyTime now);

// The thresholds still met, including the minimum reclaim; grace periods do not count. Decides
// whether reclaiming on the node was enough.
[[nodiscard]] std::vector<Threshold> unresolved(const std::vector<Threshold>& thresholds,
                                                const Observations& observations);

// The due thresholds by urgency: memory first (Kubernetes' only rule), then hard before soft, then
// the larger deficit relative to the limit, then the signals' order.
[[nodiscard]] std::vector<JudgedThreshold> in_eviction_order(
    const std::vector<JudgedThreshold>& judged);

}  // namespace berth::eviction
