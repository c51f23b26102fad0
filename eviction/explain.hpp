// SPDX-License-Identifier: Apache-2.0

// The node's state as a value: each signal against its thresholds, its trend, and which pod would
// be evicted next and why, for every resource that has a threshold.
//
// Pure; text and JSON for people are rendered elsewhere. It decides nothing: a pass over the same
// readings decides what is reported here.
#pragma once

#include <optional>
#include <vector>

#include "eviction/cycle.hpp"
#include "eviction/trend.hpp"

namespace berth::eviction {

struct ThresholdOutlook {
  JudgedThreshold judged{};
  std::optional<double> headroom{};        // units of the signal; negative: it is met
  std::optional<Nanoseconds> until_met{};  // if the slope holds; zero if met
  // If the slope holds; includes the grace period, and a wait that outlasts it. For a due
  // threshold, unset if the length of its wait is unknown, or if it waits for nothing but no pod is
  // left to evict.
  std::optional<Nanoseconds> until_action{};
  std::optional<DueWait> waits_for{};  // for a due threshold
};

struct SignalOutlook {
  Signal signal{};
  std::optional<Observation> observation{};
  std::optional<double> slope{};  // units per second, over `kTrendWindow`
  std::vector<ThresholdOutlook> thresholds{};
};

// How pods are ranked for a signal, even if it is not under pressure.
struct SignalRanking {
  Signal signal{};
  std::vector<RankedPod> ranking{};
  std::optional<std::size_t> next_victim{};  // index in `ranking`; unset if all are exempt
};

struct ConditionOutlook {
  PressureCondition condition{};
  bool present = false;
  std::optional<Nanoseconds> until_cleared{};  // if nothing raises it again
};

struct Explanation {
  CycleVerdict verdict{};
  std::vector<SignalOutlook> signals{};  // signals with thresholds, in signal order
  std::vector<ConditionOutlook> conditions{};
  std::vector<SignalRanking> rankings{};  // for signals with thresholds
  // For memory, the node's disk and processes, even without thresholds.
  std::vector<SignalRanking> by_resource{};
  // The pods that would be evicted now, and for what. Empty while the node reclaims first.
  std::vector<Eviction> evictions{};
  std::optional<Nanoseconds> until_action{};  // the soonest of all; unset if unknown or never
  // What the soonest threshold waits for; no pod is evicted before that.
  std::optional<DueWait> waits_for{};
};

// What earlier passes began and what is still under way. The verdict and the evictions of an
// explanation are those of a pass that does not know about it.
struct UnderWay {
  bool reclaiming = false;
  bool pod_is_ending = false;  // a pod that was evicted is still terminating
};

inline constexpr std::chrono::seconds kTrendWindow{60};

// `state`, `input`: the arguments of decide_cycle.
[[nodiscard]] Explanation explain(const EvictionConfig& config, const EvictionState& state,
                                  const CycleInput& input, const History& history,
                                  UnderWay under_way = {});

}  // namespace berth::eviction
