// SPDX-License-Identifier: Apache-2.0

// The node's state as a value: each signal against its thresholds, its trend, and which pod would
// be evicted next and why, for every resource that has a threshold.
//
// Pure; text and JSON for people are made elsewhere. It decides nothing: a pass over the same
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
  // If the slope holds, including the grace period and what it waits for then. Unset for a due one:
  // nobody knows how long that takes, or, where it waits for nothing, nobody is left who could go.
  std::optional<Nanoseconds> until_action{};
  std::optional<DueWait> waits_for{};  // of a due one
};

struct SignalOutlook {
  Signal signal{};
  std::optional<Observation> observation{};
  std::optional<double> slope{};  // units per second, over `kTrendWindow`
  std::vector<ThresholdOutlook> thresholds{};
};

// How pods are ranked for a signal, whether it is under pressure or not.
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
  std::vector<SignalRanking> rankings{};  // of signals with thresholds
  // Of memory, the node's disk and processes, whether they have thresholds or not.
  std::vector<SignalRanking> by_resource{};
  // Who would go now, and for what. While the node reclaims first, nobody is chosen yet.
  std::vector<Eviction> evictions{};
  std::optional<Nanoseconds> until_action{};  // the soonest of all; unset: not known, or never
  // What that one waits for; nobody goes before.
  std::optional<DueWait> waits_for{};
};

// What earlier passes began and is not over. The verdict and the evictions of an explanation are
// those of a pass that knows nothing of it.
struct UnderWay {
  bool reclaiming = false;
  bool pod_is_ending = false;  // one that was evicted
};

inline constexpr std::chrono::seconds kTrendWindow{60};

// `state`, `input`: the arguments of decide_cycle.
[[nodiscard]] Explanation explain(const EvictionConfig& config, const EvictionState& state,
                                  const CycleInput& input, const History& history,
                                  UnderWay under_way = {});

}  // namespace berth::eviction
