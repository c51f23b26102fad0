// SPDX-License-Identifier: Apache-2.0

#include "eviction/explain.hpp"

#include <algorithm>
#include <utility>

namespace berth::eviction {
namespace {

std::optional<Nanoseconds> until_action(const JudgedThreshold& judged,
                                        std::optional<Nanoseconds> until_met, SteadyTime now) {
  switch (judged.standing) {
    case ThresholdStanding::kNoReading:
      return std::nullopt;
    case ThresholdStanding::kNotMet:
      if (!until_met) return std::nullopt;
      return *until_met + judged.threshold.grace_period;
    case ThresholdStanding::kWithinGrace:
      return std::max(judged.threshold.grace_period - (now - *judged.first_observed),
                      Nanoseconds::zero());
    case ThresholdStanding::kStaleReading:
    case ThresholdStanding::kDue:
      break;
  }
  return Nanoseconds::zero();
}

ThresholdOutlook outlook(const JudgedThreshold& judged, std::optional<double> slope,
                         SteadyTime now) {
  ThresholdOutlook out{
      .judged = judged, .headroom = headroom(judged), .until_met = time_to_limit(judged, slope)};
  out.until_action = until_action(judged, out.until_met, now);
  return out;
}

std::vector<SignalOutlook> signal_outlooks(const CycleDecision& decision, const Rates& slopes,
                                           SteadyTime now) {
  std::map<Signal, SignalOutlook> out;
  for (const JudgedThreshold& judged : decision.thresholds) {
    const Signal signal = judged.threshold.signal;
    SignalOutlook& one = out[signal];
    one.signal = signal;
    one.observation = judged.observation;
    const auto slope = slopes.find(signal);
    if (slope != slopes.end()) one.slope = slope->second;
    one.thresholds.push_back(outlook(judged, one.slope, now));
  }
  std::vector<SignalOutlook> list;
  list.reserve(out.size());
  for (auto& [signal, one] : out) list.push_back(std::move(one));
  return list;
}

std::vector<ConditionOutlook> condition_outlooks(const EvictionConfig& config,
                                                 const PressureState& state, SteadyTime now) {
  std::vector<ConditionOutlook> out;
  using enum PressureCondition;
  for (const PressureCondition condition : {kMemoryPressure, kDiskPressure, kPidPressure}) {
    ConditionOutlook one{.condition = condition, .present = state.conditions.contains(condition)};
    if (one.present) {
      one.until_cleared =
          config.pressure_transition_period - (now - state.last_observed.at(condition));
    }
    out.push_back(one);
  }
  return out;
}

SignalRanking ranking_for(Signal signal, const EvictionConfig& config, FileSystemLayout layout,
                          const CycleInput& input) {
  SignalRanking out{
      .signal = signal,
      .ranking = rank_pods(input.pods, input.readings->pods, signal, layout, config.rules)};
  if (const RankedPod* victim = first_victim(out.ranking)) {
    out.next_victim = static_cast<std::size_t>(victim - out.ranking.data());
  }
  return out;
}

}  // namespace

Explanation explain(const EvictionConfig& config, const EvictionState& state,
                    const CycleInput& input, const History& history) {
  CycleDecision decision = decide_cycle(config, state, input);
  Explanation out{.verdict = decision.verdict,
                  .signals = signal_outlooks(decision, slopes(history, kTrendWindow), input.now),
                  .conditions = condition_outlooks(config, decision.state.pressure, input.now)};
  for (const SignalOutlook& signal : out.signals) {
    for (const ThresholdOutlook& one : signal.thresholds) {
      if (one.until_action && (!out.until_action || *one.until_action < *out.until_action)) {
        out.until_action = one.until_action;
      }
    }
    out.rankings.push_back(ranking_for(signal.signal, config, *decision.state.layout, input));
  }
  const auto layout = decision.state.layout ? decision.state.layout : input.layout;
  for (const Signal signal :
       {Signal::kMemoryAvailable, Signal::kNodeFsAvailable, Signal::kPidAvailable})
    if (layout && input.readings != nullptr)
      out.by_resource.push_back(ranking_for(signal, config, *layout, input));
  out.evictions = std::move(decision.evictions);
  return out;
}

}  // namespace berth::eviction
