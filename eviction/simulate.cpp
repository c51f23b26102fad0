// SPDX-License-Identifier: Apache-2.0

#include "eviction/simulate.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "eviction/without_pods.hpp"

namespace berth::eviction {
namespace {

const JudgedThreshold* find(const std::vector<JudgedThreshold>& list, const Threshold& threshold) {
  const auto found = std::ranges::find_if(
      list, [&](const JudgedThreshold& one) { return same_threshold(one.threshold, threshold); });
  return found == list.end() ? nullptr : &*found;
}

SimulatedVictim victim_of(const Eviction& eviction, const std::vector<RankedPod>& ranking) {
  SimulatedVictim out{.pod = eviction.pod,
                      .message = eviction.message,
                      .grace_period_override = eviction.grace_period_override};
  for (const RankedPod& ranked : ranking) {
    if (ranked.pod == eviction.pod) {
      out.ahead_by = ranked.ahead_by;
      break;
    }
    out.exempt_before_it.push_back(ranked.pod.uid);
  }
  return out;
}

// Whether the threshold of the containers' file system was derived from `source`.
bool is_source(const Threshold& source, Threshold derived) {
  const SignalTraits& of = traits(source.signal);
  if (traits(derived.signal).file_system != SignalFileSystem::kContainers ||
      of.file_system == SignalFileSystem::kNone || of.file_system == SignalFileSystem::kContainers)
    return false;
  if (of.resource != traits(derived.signal).resource) return false;
  derived.signal = source.signal;
  return same_threshold(source, derived);
}

class Simulator {
 public:
  Simulator(const EvictionConfig& config, FileSystemLayout layout)
      : config_(config), layout_(layout) {}

  void look(const Sample& sample) {
    at_ = sample.shown_at;
    merged_ = sample.merged > 1;
    const std::set<PressureCondition> had = state_.pressure.conditions;
    const bool restarted = last_ != nullptr && sample.at - last_->at > kHistoryHole;
    span_.reset();
    if (merged_ && last_ != nullptr && !restarted) span_ = sample.at - last_->at;
    if (restarted) begin_anew();
    // A pod that was really evicted stays in the samples until pods are measured again. It is left
    // out until then, and nothing is given back for it: what it used is already free.
    if (last_ == nullptr || sample.pods != last_->pods) gone_in_truth_.clear();
    std::vector<const api::Pod*> pods;
    std::vector<const api::Pod*> gone;
    Readings readings{.node = sample.node};
    if (sample.pods) {
      readings.pods = sample.pods->readings;
      for (const auto& pod : sample.pods->pods) {
        if (gone_in_truth_.contains(pod->metadata.uid)) continue;
        (evicted_.contains(pod->metadata.uid) ? gone : pods).push_back(pod.get());
      }
    }
    readings = without_pods(std::move(readings), gone, layout_);
    // No measurement was made until the pod evicted before this sample was removed.
    pod_is_gone(evicted_before_, sample.at, state_.pressure);
    const bool reclaiming = reclaiming_ && sample.reclaiming && !sample.after_reclaim;
    const CycleInput input{.readings = &readings,
                           .layout = layout_,
                           .pods = std::move(pods),
                           .now = sample.at,
                           .reclaiming = reclaiming};
    CycleDecision decision = decide_cycle(config_, state_, input);
    report_conditions(had, decision.state.pressure.conditions);
    report_thresholds(decision.thresholds, restarted);
    if (decision.verdict == CycleVerdict::kReclaimOnNode)
      reclaim(decision, sample, input, gone);
    else if (!reclaiming && !std::exchange(reclaiming_, false))
      deviated_ = deviated_ || reclaims(sample);
    report_outcome(decision);
    compare_with_truth(decision, sample);
    evicted_before_ = evicted_for(decision);
    state_ = std::move(decision.state);
    before_ = std::move(decision.thresholds);
    last_ = &sample;
  }

  [[nodiscard]] std::vector<SimulatedEvent> take() { return std::move(events_); }

 private:
  static bool reclaims(const Sample& sample) { return sample.reclaiming || sample.after_reclaim; }

  // A restarted berthd does not know about grace periods, conditions or reclaims that had begun.
  void begin_anew() {
    state_ = {};
    evicted_before_ = EvictedFor::kNoPressure;
    nobody_evictable_ = false;
    reclaiming_ = false;
  }

  // The node was really reclaiming then, or the reclaim is assumed to have gained nothing.
  void reclaim(CycleDecision& decision, const Sample& sample, const CycleInput& input,
               const std::vector<const api::Pod*>& gone) {
    if (!std::exchange(reclaiming_, sample.reclaiming && !sample.after_reclaim))
      report({.kind = SimulatedKind::kReclaim, .threshold = decision.due.front()});
    if (reclaiming_) return;
    deviated_ = deviated_ || !sample.after_reclaim;
    const auto after = after_reclaim(sample, gone);
    decision = decide_after_reclaim(config_, std::move(decision), input, after ? &*after : nullptr);
  }

  // The real measurement after a reclaim, without the pods that are evicted only in the replay.
  [[nodiscard]] std::optional<NodeReadings> after_reclaim(
      const Sample& sample, const std::vector<const api::Pod*>& gone) const {
    if (!sample.after_reclaim) return std::nullopt;
    Readings readings{.node = *sample.after_reclaim};
    if (sample.pods) readings.pods = sample.pods->readings;
    return without_pods(std::move(readings), gone, layout_).node;
  }

  void report(SimulatedEvent event) {
    event.at = at_;
    event.merged = merged_;
    event.span = span_;
    event.certainty = deviated_ ? Certainty::kAfterDeviation
                      : merged_ ? Certainty::kMergedSamples
                                : Certainty::kAsMeasured;
    events_.push_back(std::move(event));
  }

  void report_conditions(const std::set<PressureCondition>& had,
                         const std::set<PressureCondition>& has) {
    for (const PressureCondition condition : has) {
      if (!had.contains(condition)) {
        report({.kind = SimulatedKind::kConditionAppeared, .condition = condition});
      }
    }
    for (const PressureCondition condition : had) {
      if (!has.contains(condition)) {
        report({.kind = SimulatedKind::kConditionCleared, .condition = condition});
      }
    }
  }

  void report_thresholds(const std::vector<JudgedThreshold>& all, bool restarted) {
    for (const JudgedThreshold& judged : all) {
      const JudgedThreshold* before = find(before_, judged.threshold);
      const bool was_met = before != nullptr && is_met(*before);
      const bool met = is_met(judged);
      const bool begins_anew = restarted && met;
      if (met == was_met && !begins_anew) continue;
      const bool reported = std::ranges::any_of(all, [&](const JudgedThreshold& other) {
        return is_source(other.threshold, judged.threshold) && is_met(other) == met;
      });
      if (reported) continue;
      report({.kind = met ? SimulatedKind::kThresholdMet : SimulatedKind::kThresholdResolved,
              .threshold = judged});
    }
  }

  void report_outcome(const CycleDecision& decision) {
    for (const Eviction& eviction : decision.evictions) {
      SimulatedEvent event{.kind = SimulatedKind::kEviction,
                           .victim = victim_of(eviction, decision.ranking)};
      if (const auto* cause = std::get_if<JudgedThreshold>(&eviction.cause)) {
        event.threshold = *cause;
      }
      report(std::move(event));
    }
    const bool nobody = decision.verdict == CycleVerdict::kNobodyEvictable;
    if (nobody && !nobody_evictable_) {
      report({.kind = SimulatedKind::kNobodyEvictable, .threshold = decision.due.front()});
    }
    nobody_evictable_ = nobody;
  }

  // A pod that is evicted only in the replay is removed from later samples.
  void compare_with_truth(const CycleDecision& decision, const Sample& sample) {
    std::set<std::string> in_truth(sample.evicted.begin(), sample.evicted.end());
    for (const Eviction& eviction : decision.evictions) {
      const std::string& uid = eviction.pod.uid;
      if (in_truth.erase(uid) != 0) continue;
      evicted_.insert(uid);
      deviated_ = true;
    }
    if (!in_truth.empty()) deviated_ = true;
    gone_in_truth_.insert(sample.evicted.begin(), sample.evicted.end());
  }

  const EvictionConfig& config_;
  FileSystemLayout layout_;
  const Sample* last_ = nullptr;  // before the current one
  EvictionState state_{};
  std::vector<JudgedThreshold> before_{};
  std::set<std::string> evicted_{};        // only in the replay
  std::set<std::string> gone_in_truth_{};  // really evicted, since the pods were last measured
  bool deviated_ = false;                  // from what really happened

  bool merged_ = false;                                  // of the current sample
  std::optional<Nanoseconds> span_{};                    // likewise, back to the one before
  EvictedFor evicted_before_ = EvictedFor::kNoPressure;  // in the last pass
  bool nobody_evictable_ = false;                        // likewise
  bool reclaiming_ = false;  // in the replay and in reality, when the last pass ended
  WallTime at_{};
  std::vector<SimulatedEvent> events_{};
};

}  // namespace

std::string_view to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::kAsMeasured:
      return "AsMeasured";
    case Certainty::kMergedSamples:
      return "MergedSamples";
    case Certainty::kAfterDeviation:
      return "AfterDeviation";
  }
  return "";
}

std::string_view to_string(SimulatedKind kind) {
  switch (kind) {
    case SimulatedKind::kConditionAppeared:
      return "ConditionAppeared";
    case SimulatedKind::kConditionCleared:
      return "ConditionCleared";
    case SimulatedKind::kThresholdMet:
      return "ThresholdMet";
    case SimulatedKind::kThresholdResolved:
      return "ThresholdResolved";
    case SimulatedKind::kReclaim:
      return "Reclaim";
    case SimulatedKind::kEviction:
      return "Eviction";
    case SimulatedKind::kNobodyEvictable:
      return "NobodyEvictable";
  }
  return "";
}

Simulation simulate(const History& history, const EvictionConfig& config, FileSystemLayout layout) {
  Simulator simulator(config, layout);
  Simulation out;
  for (const Sample* sample : history.samples()) {
    if (!out.from) out.from = sample->shown_at;
    out.until = sample->shown_at;
    ++out.samples;
    simulator.look(*sample);
  }
  out.events = simulator.take();
  return out;
}

}  // namespace berth::eviction
