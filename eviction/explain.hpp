// Where the node stands, as a value: each signal against its thresholds, where it is heading, and
// who would go next and why, for every resource that has a threshold.
//
// Pure; what a person sees of it (text, JSON) is made elsewhere. It decides nothing: a look at the
// same readings decides what is written here.
#pragma once

#include <optional>
#include <vector>

#include "eviction/cycle.hpp"
#include "eviction/trend.hpp"

namespace berth::eviction {

struct ThresholdOutlook {
  JudgedThreshold judged{};
  std::optional<double> headroom{};           // units of the signal; negative: it is met
  std::optional<Nanoseconds> until_met{};     // if the slope holds; zero when met
  std::optional<Nanoseconds> until_action{};  // … and its grace period has passed
};

struct SignalOutlook {
  Signal signal{};
  std::optional<Observation> observation{};
  std::optional<double> slope{};  // units in a second, over `kTrendWindow`
  std::vector<ThresholdOutlook> thresholds{};
};

// How pods are ranked for a signal, whether it is short or not.
struct SignalRanking {
  Signal signal{};
  std::vector<RankedPod> ranking{};
  std::optional<std::size_t> next_victim{};  // index in `ranking`; absent if all are exempt
};

struct ConditionOutlook {
  PressureCondition condition{};
  bool present = false;
  std::optional<Nanoseconds> until_cleared{};  // if nothing raises it again
};

struct Explanation {
  CycleVerdict verdict{};
  std::vector<SignalOutlook> signals{};  // those that have thresholds, in their order
  std::vector<ConditionOutlook> conditions{};
  std::vector<SignalRanking> rankings{};
  std::optional<Nanoseconds> until_action{};  // the soonest of all
};

inline constexpr std::chrono::seconds kTrendWindow{60};

// `state`, `input`: as decide_cycle has them.
[[nodiscard]] Explanation explain(const EvictionConfig& config, const EvictionState& state,
                                  const CycleInput& input, const History& history);

}  // namespace berth::eviction
