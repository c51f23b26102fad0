// SPDX-License-Identifier: Apache-2.0

#include "eviction/pressure.hpp"

#include <algorithm>
#include <tuple>

namespace berth::eviction {
namespace {

bool contains(const std::vector<Threshold>& list, const Threshold& threshold) {
  return std::ranges::any_of(
      list, [&](const Threshold& other) { return same_threshold(other, threshold); });
}

bool beyond(const Threshold& threshold, const api::Quantity& limit, const Observation& seen) {
  return traits(threshold.signal).comparison == Comparison::kLessThan ? limit > seen.value
                                                                      : seen.value > limit;
}

// The limit, shifted by the minimum reclaim to the value at which the threshold counts as resolved.
api::Quantity resolved_limit(const Threshold& threshold, const Observation& seen) {
  api::Quantity limit = amount_of(threshold.value, seen.capacity);
  if (!threshold.min_reclaim) return limit;
  const api::Quantity gain = amount_of(*threshold.min_reclaim, seen.capacity);
  if (traits(threshold.signal).comparison == Comparison::kLessThan) return limit + gain;
  return limit - gain;
}

bool is_newer(const PressureState& before, Signal signal, const Observation& seen) {
  const auto last = before.samples.find(signal);
  if (last == before.samples.end() || !last->second || !seen.time) return true;
  return *seen.time > *last->second;
}

// The remainder of a span that began then; zero if it never began.
Nanoseconds left_of(Nanoseconds span, const std::optional<SteadyTime>& began, SteadyTime now) {
  return began ? std::max(span - (now - *began), Nanoseconds::zero()) : Nanoseconds::zero();
}

std::optional<SteadyTime> first_observed(const std::vector<FirstObserved>& list,
                                         const Threshold& threshold) {
  const auto found = std::ranges::find_if(
      list, [&](const FirstObserved& entry) { return same_threshold(entry.threshold, threshold); });
  if (found == list.end()) return std::nullopt;
  return found->at;
}

class Judge {
 public:
  Judge(const PressureState& before, const Observations& observations, SteadyTime now)
      : before_(before), observations_(observations), now_(now) {}

  // `configured`: the threshold's own limit counts; otherwise it was due before, and can only be
  // kept.
  void look_at(const Threshold& threshold, bool configured) {
    JudgedThreshold judged{.threshold = threshold};
    const auto seen = observations_.find(threshold.signal);
    if (seen == observations_.end()) {
      judged.standing = ThresholdStanding::kNoReading;
    } else {
      judged.observation = seen->second;
      judged.limit = amount_of(threshold.value, seen->second.capacity);
      const bool met = configured && beyond(threshold, *judged.limit, seen->second);
      bool kept = false;
      if (contains(before_.due, threshold)) {
        judged.resolved = resolved_limit(threshold, seen->second);
        kept = beyond(threshold, *judged.resolved, seen->second);
      }
      judged.kept_by_reclaim = kept && !met;
      if (met || kept) judged.standing = standing_of_met(judged, seen->second);
    }
    judged_.push_back(std::move(judged));
  }

  Judgement conclude(Nanoseconds transition_period) {
    PressureState& after = out_.state;
    std::set<PressureCondition> observed;
    for (const FirstObserved& entry : after.first_observed) {
      observed.insert(traits(entry.threshold.signal).condition);
    }
    after.last_observed = before_.last_observed;
    after.last_eviction = before_.last_eviction;
    after.last_gone_for_disk = before_.last_gone_for_disk;
    for (const PressureCondition condition : observed) after.last_observed[condition] = now_;
    for (const auto& [condition, at] : after.last_observed) {
      if (now_ - at < transition_period) after.conditions.insert(condition);
    }
    for (const auto& [signal, seen] : observations_) after.samples[signal] = seen.time;
    out_.thresholds = std::move(judged_);
    return std::move(out_);
  }

 private:
  ThresholdStanding standing_of_met(JudgedThreshold& judged, const Observation& seen) {
    const Threshold& threshold = judged.threshold;
    judged.first_observed = first_observed(before_.first_observed, threshold).value_or(now_);
    if (!first_observed(out_.state.first_observed, threshold)) {
      out_.state.first_observed.push_back({.threshold = threshold, .at = *judged.first_observed});
    }
    if (now_ - *judged.first_observed < threshold.grace_period) {
      return ThresholdStanding::kWithinGrace;
    }
    if (!contains(out_.state.due, threshold)) out_.state.due.push_back(threshold);
    return due_wait(before_, threshold.signal, seen, now_) ? ThresholdStanding::kStaleReading
                                                           : ThresholdStanding::kDue;
  }

  const PressureState& before_;
  const Observations& observations_;
  SteadyTime now_{};
  std::vector<JudgedThreshold> judged_{};
  Judgement out_{};
};

// The deficit relative to the limit.
double relative_deficit(const JudgedThreshold& judged) {
  const double limit = judged.limit->as_double();
  if (limit == 0) return 0;
  const double beyond = limit - judged.observation->value.as_double();
  return (traits(judged.threshold.signal).comparison == Comparison::kLessThan ? beyond : -beyond) /
         limit;
}

}  // namespace

std::string_view to_string(DueWait wait) {
  switch (wait) {
    case DueWait::kNewSample:
      return "NewSample";
    case DueWait::kAverage:
      return "Average";
    case DueWait::kFreedDisk:
      return "FreedDisk";
    case DueWait::kReclaim:
      return "Reclaim";
    case DueWait::kPodEnd:
      return "PodEnd";
  }
  return "";
}

std::optional<Wait> due_wait(const PressureState& before, Signal signal, const Observation& seen,
                             SteadyTime now) {
  const SignalTraits& of = traits(signal);
  const Nanoseconds average = left_of(of.averaged_over, before.last_eviction, now);
  const Nanoseconds disk = of.file_system == SignalFileSystem::kNone
                               ? Nanoseconds::zero()
                               : left_of(kDiskIsFreed, before.last_gone_for_disk, now);
  if (average > Nanoseconds::zero() && average >= disk) return Wait{DueWait::kAverage, average};
  if (disk > Nanoseconds::zero()) return Wait{DueWait::kFreedDisk, disk};
  if (!is_newer(before, signal, seen)) return Wait{DueWait::kNewSample, Nanoseconds::zero()};
  return std::nullopt;
}

Judgement judge(const PressureState& before, const std::vector<Threshold>& thresholds,
                const Observations& observations, Nanoseconds transition_period, SteadyTime now) {
  Judge judge(before, observations, now);
  for (const Threshold& threshold : thresholds) judge.look_at(threshold, true);
  for (const Threshold& threshold : before.due) {
    if (!contains(thresholds, threshold)) judge.look_at(threshold, false);
  }
  return judge.conclude(transition_period);
}

std::vector<Threshold> unresolved(const std::vector<Threshold>& thresholds,
                                  const Observations& observations) {
  std::vector<Threshold> out;
  for (const Threshold& threshold : thresholds) {
    const auto seen = observations.find(threshold.signal);
    if (seen == observations.end()) continue;
    if (beyond(threshold, resolved_limit(threshold, seen->second), seen->second)) {
      out.push_back(threshold);
    }
  }
  return out;
}

std::vector<JudgedThreshold> in_eviction_order(const std::vector<JudgedThreshold>& judged) {
  std::vector<JudgedThreshold> out;
  std::ranges::copy_if(judged, std::back_inserter(out), [](const JudgedThreshold& one) {
    return one.standing == ThresholdStanding::kDue;
  });
  const auto key = [](const JudgedThreshold& one) {
    const Threshold& threshold = one.threshold;
    return std::tuple(!is_memory_signal(threshold.signal), !is_hard(threshold),
                      -relative_deficit(one), threshold.signal);
  };
  std::ranges::stable_sort(
      out, [&](const JudgedThreshold& a, const JudgedThreshold& b) { return key(a) < key(b); });
  return out;
}

}  // namespace berth::eviction
