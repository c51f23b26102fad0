// SPDX-License-Identifier: Apache-2.0

#include "eviction/sampling.hpp"

#include <algorithm>

namespace berth::eviction {
namespace {

// An average rises fastest if the whole time counts as stalled from now on.
std::optional<double> fastest_of(const JudgedThreshold& judged, const Rates& fastest) {
  const SignalTraits& of = traits(judged.threshold.signal);
  if (is_average(of.signal))
    return judged.observation->capacity.as_double() /
           std::chrono::duration<double>(of.averaged_over).count();
  const auto rate = fastest.find(of.signal);
  return rate == fastest.end() ? std::nullopt : std::optional(rate->second);
}

// Signals that can change from one moment to the next; averages of memory stalls cannot.
bool needs_quick_looks(Signal signal) {
  return is_memory_signal(signal) && !is_average(signal);
}

bool shows_at_a_glance(Signal signal) {
  return signal == Signal::kMemoryAvailable || signal == Signal::kMemoryAvailableWithCache;
}

bool is_of_pods(Signal signal) {
  return signal == Signal::kAllocatableMemoryAvailable ||
         signal == Signal::kAllocatableMemoryAvailableWithCache;
}

std::optional<Nanoseconds> interval_for(const JudgedThreshold& judged, const Rates& fastest,
                                        const SamplingLimits& limits) {
  const auto left = headroom(judged);
  if (!left) return std::nullopt;
  if (*left < 0) return limits.beyond;
  const auto rate = fastest_of(judged, fastest);
  if (!rate) return std::nullopt;
  const SignalTraits& of = traits(judged.threshold.signal);
  const auto until = time_to_limit(judged, of.comparison == Comparison::kLessThan ? -*rate : *rate);
  if (!until) return std::nullopt;
  const bool memory = needs_quick_looks(of.signal);
  const Nanoseconds due = of.file_system == SignalFileSystem::kNone ? *until / 2 : *until;
  return std::max(due, memory ? limits.shortest_for_memory : limits.shortest);
}

}  // namespace

SamplingDecision sampling_interval(const std::vector<JudgedThreshold>& thresholds,
                                   const Rates& fastest, const SamplingLimits& limits) {
  SamplingDecision out{.interval = limits.longest};
  for (const JudgedThreshold& judged : thresholds) {
    const auto interval = interval_for(judged, fastest, limits);
    if (interval && *interval < out.interval) {
      out = {.interval = *interval, .decided_by = judged.threshold};
    }
  }
  return out;
}

Nanoseconds glances_suffice_for(const std::vector<JudgedThreshold>& thresholds,
                                const Rates& fastest, const SamplingLimits& limits) {
  if (const auto next = sampling_interval(thresholds, fastest, limits).interval;
      next <= limits.beyond)
    return next;
  Nanoseconds out = limits.longest;
  for (const JudgedThreshold& judged : thresholds) {
    const Signal signal = judged.threshold.signal;
    const auto interval = interval_for(judged, fastest, limits);
    if (interval && !shows_at_a_glance(signal))
      out = std::min(out, is_of_pods(signal) ? 2 * *interval : *interval);
  }
  return out;
}

bool glance_suffices(const std::vector<JudgedThreshold>& thresholds, std::int64_t grown) {
  // The next glance is due after half of the way to a limit, which cannot be reached until then.
  constexpr double kHardly = 0.1;
  return std::ranges::none_of(thresholds, [&](const JudgedThreshold& judged) {
    const Signal signal = judged.threshold.signal;
    const auto left = headroom(judged);
    return left && (shows_at_a_glance(signal) || is_of_pods(signal)) &&
           static_cast<double>(grown) > kHardly * *left;
  });
}

void learn_from_glance(Rates& fastest, std::int64_t grown, Nanoseconds within) {
  if (within <= Nanoseconds::zero()) return;
  const double rate = static_cast<double>(grown) / std::chrono::duration<double>(within).count();
  for (auto& [signal, known] : fastest)
    if (shows_at_a_glance(signal) || is_of_pods(signal)) known = std::max(known, rate);
}

bool file_system_is_due(const std::vector<JudgedThreshold>& thresholds, const Rates& fastest,
                        WallTime now, const SamplingLimits& limits) {
  return std::ranges::any_of(thresholds, [&](const JudgedThreshold& judged) {
    if (traits(judged.threshold.signal).file_system == SignalFileSystem::kNone) return false;
    const auto interval = interval_for(judged, fastest, limits);
    if (!interval || *interval >= limits.longest) return false;
    const auto& measured = judged.observation->time;
    return !measured || now - *measured >= *interval;
  });
}

bool came_nearer(const std::vector<JudgedThreshold>& then, const std::vector<JudgedThreshold>& now,
                 const Rates& fastest, const SamplingLimits& limits) {
  constexpr double kStillFar = 0.75;
  return std::ranges::any_of(now, [&](const JudgedThreshold& after) {
    const auto interval = interval_for(after, fastest, limits);
    if (!interval || *interval >= limits.beyond) return false;
    const auto before = std::ranges::find_if(then, [&](const JudgedThreshold& one) {
      return same_threshold(one.threshold, after.threshold);
    });
    const auto was_left = before == then.end() ? std::nullopt : headroom(*before);
    return !was_left || *headroom(after) < kStillFar * *was_left;
  });
}

}  // namespace berth::eviction
