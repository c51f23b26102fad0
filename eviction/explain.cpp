// SPDX-License-Identifier: Apache-2.0

#include "eviction/explain.hpp"

#include <algorithm>
#include <utility>

#include "eviction/number_text.hpp"

namespace berth::eviction {
namespace {

bool is_due(const JudgedThreshold& judged) {
  return judged.standing == ThresholdStanding::kDue ||
         judged.standing == ThresholdStanding::kStaleReading;
}

// When the grace period of a threshold that is not due yet will end, if the slope holds.
std::optional<Nanoseconds> until_due(const JudgedThreshold& judged,
                                     std::optional<Nanoseconds> until_met, SteadyTime now) {
  if (judged.standing == ThresholdStanding::kWithinGrace)
    return std::max(judged.threshold.grace_period - (now - *judged.first_observed),
                    Nanoseconds::zero());
  if (judged.standing != ThresholdStanding::kNotMet || !until_met) return std::nullopt;
  return Nanoseconds(capped_sum(until_met->count(), judged.threshold.grace_period.count()));
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

class Outlooks {
 public:
  Outlooks(const EvictionConfig& config, const EvictionState& before, const CycleDecision& decision,
           const CycleInput& input, UnderWay under_way)
      : config_(config),
        before_(before),
        decision_(decision),
        input_(input),
        under_way_(under_way) {}

  [[nodiscard]] std::vector<SignalOutlook> signals(const Rates& slopes) const {
    std::map<Signal, SignalOutlook> out;
    for (const JudgedThreshold& judged : decision_.thresholds) {
      const Signal signal = judged.threshold.signal;
      SignalOutlook& one = out[signal];
      one.signal = signal;
      one.observation = judged.observation;
      const auto slope = slopes.find(signal);
      if (slope != slopes.end()) one.slope = slope->second;
      one.thresholds.push_back(of(judged, one.slope));
    }
    std::vector<SignalOutlook> list;
    list.reserve(out.size());
    for (auto& [signal, one] : out) list.push_back(std::move(one));
    return list;
  }

 private:
  [[nodiscard]] ThresholdOutlook of(const JudgedThreshold& judged,
                                    std::optional<double> slope) const {
    ThresholdOutlook out{
        .judged = judged, .headroom = headroom(judged), .until_met = time_to_limit(judged, slope)};
    if (is_due(judged) && nothing_can_be_done(judged)) return out;
    const std::optional<Wait> wait = wait_of(judged);
    if (is_due(judged)) {
      out.until_action = wait ? wait->left : Nanoseconds::zero();
      if (wait) out.waits_for = wait->what;
    } else {
      out.until_action = until_due(judged, out.until_met, input_.now);
      if (out.until_action && wait && wait->left)
        out.until_action = std::max(*out.until_action, *wait->left);
    }
    return out;
  }

  // For a due threshold. If no pod can be evicted for the most urgent one, the others have no turn.
  [[nodiscard]] bool nothing_can_be_done(const JudgedThreshold& judged) const {
    if (decision_.verdict == CycleVerdict::kNobodyEvictable ||
        decision_.verdict == CycleVerdict::kNoPods)
      return true;
    const Signal signal = judged.threshold.signal;
    const FileSystemLayout layout = *decision_.state.layout;
    return !is_reclaimable(judged.threshold, layout) &&
           !ranking_for(signal, config_, layout, input_).next_victim;
  }

  [[nodiscard]] std::optional<Wait> wait_of(const JudgedThreshold& judged) const {
    if (!judged.observation) return std::nullopt;
    if (under_way_.pod_is_ending) return Wait{DueWait::kPodEnd};
    if (under_way_.reclaiming && is_reclaimable(judged.threshold, *decision_.state.layout))
      return Wait{DueWait::kReclaim};
    return due_wait(before_.pressure, judged.threshold.signal, *judged.observation, input_.now);
  }

  const EvictionConfig& config_;
  const EvictionState& before_;
  const CycleDecision& decision_;
  const CycleInput& input_;
  UnderWay under_way_{};
};

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

// An unknown time is longer than any other.
bool sooner(const ThresholdOutlook& a, const ThresholdOutlook& b) {
  const auto key = [](const ThresholdOutlook& one) {
    return std::pair(one.until_action.value_or(Nanoseconds::max()), one.waits_for.has_value());
  };
  return key(a) < key(b);
}

void set_soonest_action(Explanation& out, UnderWay under_way) {
  const ThresholdOutlook* soonest = nullptr;
  const ThresholdOutlook* due = nullptr;
  for (const SignalOutlook& signal : out.signals) {
    for (const ThresholdOutlook& one : signal.thresholds) {
      if (soonest == nullptr || sooner(one, *soonest)) soonest = &one;
      if (is_due(one.judged) && (due == nullptr || sooner(one, *due))) due = &one;
    }
  }
  // A due threshold with a wait of unknown length may still be the first to act. If nothing can be
  // done for a due one, a threshold that is not due yet is not the first either.
  if (due != nullptr && !due->until_action) soonest = due;
  if (soonest != nullptr) {
    out.until_action = soonest->until_action;
    out.waits_for = soonest->waits_for;
  }
  if (out.verdict != CycleVerdict::kLimitsExceeded) return;
  out.waits_for = under_way.pod_is_ending ? std::optional(DueWait::kPodEnd) : std::nullopt;
}

}  // namespace

Explanation explain(const EvictionConfig& config, const EvictionState& state,
                    const CycleInput& input, const History& history, UnderWay under_way) {
  CycleDecision decision = decide_cycle(config, state, input);
  Explanation out{.verdict = decision.verdict,
                  .signals = Outlooks(config, state, decision, input, under_way)
                                 .signals(slopes(history, kTrendWindow)),
                  .conditions = condition_outlooks(config, decision.state.pressure, input.now)};
  for (const SignalOutlook& signal : out.signals)
    out.rankings.push_back(ranking_for(signal.signal, config, *decision.state.layout, input));
  set_soonest_action(out, under_way);
  const auto layout = decision.state.layout ? decision.state.layout : input.layout;
  for (const Signal signal :
       {Signal::kMemoryAvailable, Signal::kNodeFsAvailable, Signal::kPidAvailable})
    if (layout && input.readings != nullptr)
      out.by_resource.push_back(ranking_for(signal, config, *layout, input));
  out.evictions = std::move(decision.evictions);
  return out;
}

}  // namespace berth::eviction
