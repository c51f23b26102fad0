// Which thresholds are met, since when, and which conditions the node has by that.
//
// Pure: (what was known, observations, now) → what is known. The rules are the kubelet's.
// A threshold is met when its value is beyond it (equality is not); once it was due it stays met
// until the minimum reclaim is gained as well; any moment without it starts its grace period over.
// Soft thresholds raise the node condition at once, before their grace period; a condition goes
// only when its thresholds have not been met for the transition period. What was measured no later
// than at the last look decides nothing (the same sample would evict twice), but still moves
// conditions; a sample without a time counts as new.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

// What is remembered from one look to the next; empty at first.
struct PressureState {
  std::vector<FirstObserved> first_observed{};
  std::map<PressureCondition, SteadyTime> last_observed{};  // of each condition
  std::set<PressureCondition> conditions{};                 // what the node shows
  std::vector<Threshold> due{};                             // met, their grace periods over
  std::map<Signal, std::optional<WallTime>> samples{};      // when each signal was measured

  bool operator==(const PressureState&) const = default;
};

// How a threshold stands.
enum class ThresholdStanding : std::uint8_t {
  kNoReading,  // its signal could not be measured: passed over
  kNotMet,
  kWithinGrace,   // met, or kept by the minimum reclaim; soft, and not for long enough
  kStaleReading,  // due, but not measured anew since the last look
  kDue,
};

struct JudgedThreshold {
  Threshold threshold{};
  ThresholdStanding standing = ThresholdStanding::kNotMet;
  std::optional<Observation> observation{};
  std::optional<api::Quantity> limit{};     // what the threshold comes to
  std::optional<api::Quantity> resolved{};  // with the minimum reclaim, where it was due before
  // Not beyond the limit any more: only the minimum reclaim keeps it.
  bool kept_by_reclaim = false;
  std::optional<SteadyTime> first_observed{};

  bool operator==(const JudgedThreshold&) const = default;
};

// The value is beyond the limit, or the minimum reclaim is not gained yet.
[[nodiscard]] inline bool is_met(const JudgedThreshold& judged) {
  return judged.standing != ThresholdStanding::kNoReading &&
         judged.standing != ThresholdStanding::kNotMet;
}

struct Judgement {
  PressureState state{};
  std::vector<JudgedThreshold> thresholds{};  // each that was looked at
};

[[nodiscard]] Judgement judge(const PressureState& before, const std::vector<Threshold>& thresholds,
                              const Observations& observations, Nanoseconds transition_period,
                              SteadyTime now);

// Any of them met, the minimum reclaim included? Grace periods do not count. What decides whether
// reclaiming on the node was enough.
[[nodiscard]] std::vector<Threshold> unresolved(const std::vector<Threshold>& thresholds,
                                                const Observations& observations);

// The due ones in the order in which they are acted on: memory first (Kubernetes' only rule), then
// hard before soft, then the larger deficit in relation to the limit, then the signals' order.
[[nodiscard]] std::vector<JudgedThreshold> in_eviction_order(
    const std::vector<JudgedThreshold>& judged);

}  // namespace berth::eviction
