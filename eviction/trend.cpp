// SPDX-License-Identifier: Apache-2.0

#include "eviction/trend.hpp"

#include <algorithm>
#include <vector>

namespace berth::eviction {
namespace {

constexpr std::chrono::hours kNever{24 * 365 * 100};

double seconds(Nanoseconds span) {
  return std::chrono::duration<double>(span).count();
}

struct Point {
  double at = 0;
  double value = 0;
};

std::optional<double> slope_of(const std::vector<Point>& points) {
  if (points.size() < 2) return std::nullopt;
  double mean_at = 0;
  double mean_value = 0;
  for (const Point& point : points) {
    mean_at += point.at;
    mean_value += point.value;
  }
  const auto count = static_cast<double>(points.size());
  mean_at /= count;
  mean_value /= count;
  double covariance = 0;
  double variance = 0;
  for (const Point& point : points) {
    covariance += (point.at - mean_at) * (point.value - mean_value);
    variance += (point.at - mean_at) * (point.at - mean_at);
  }
  if (variance <= 0) return std::nullopt;
  return covariance / variance;
}

// The change towards the limit: less available, or more stalled.
double approach(Signal signal, double change) {
  return traits(signal).comparison == Comparison::kLessThan ? -change : change;
}

// The longest time that the change between two looks can have taken; zero if both saw the same
// reading. Readings of disks are updated less often than they are read.
Nanoseconds time_between(const Sample& last, const Observation& before, const Sample& now,
                         const Observation& after) {
  const Nanoseconds looks = now.at - last.at;
  if (!before.time || !after.time) return looks;
  const Nanoseconds readings = *after.time - *before.time;
  return readings == Nanoseconds::zero() ? readings : std::max(looks, readings);
}

}  // namespace

Rates slopes(const History& history, Nanoseconds window) {
  const auto samples = history.samples();
  std::map<Signal, std::vector<Point>> points;
  for (const Sample* sample : samples) {
    const Nanoseconds age = samples.back()->at - sample->at;
    if (age > window) continue;
    for (const auto& [signal, seen] : observe(sample->node)) {
      points[signal].push_back({.at = -seconds(age), .value = seen.value.as_double()});
    }
  }
  Rates out;
  for (const auto& [signal, list] : points) {
    if (const auto slope = slope_of(list)) out[signal] = *slope;
  }
  return out;
}

Rates fastest_approach(const History& history) {
  Rates out;
  Observations before;
  const Sample* last = nullptr;
  for (const Sample* sample : history.samples()) {
    Observations now = observe(sample->node);
    if (last != nullptr && last->merged == 1 && sample->merged == 1) {
      for (const auto& [signal, seen] : now) {
        const auto earlier = before.find(signal);
        if (earlier == before.end() || is_average(signal)) continue;
        const double passed = seconds(time_between(*last, earlier->second, *sample, seen));
        if (passed <= 0) continue;
        const double change = seen.value.as_double() - earlier->second.value.as_double();
        double& fastest = out[signal];
        fastest = std::max(fastest, approach(signal, change) / passed);
      }
    }
    before = std::move(now);
    last = sample;
  }
  return out;
}

std::optional<double> headroom(const JudgedThreshold& judged) {
  if (!judged.observation || !judged.limit) return std::nullopt;
  return approach(judged.threshold.signal,
                  judged.limit->as_double() - judged.observation->value.as_double());
}

std::optional<Nanoseconds> time_to_limit(const JudgedThreshold& judged,
                                         std::optional<double> slope) {
  const auto left = headroom(judged);
  if (!left) return std::nullopt;
  if (*left < 0) return Nanoseconds::zero();
  if (!slope) return std::nullopt;
  const double rate = approach(judged.threshold.signal, *slope);
  if (rate <= 0) return std::nullopt;
  const double time = *left / rate;
  if (time >= seconds(kNever)) return kNever;
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(time));
}

}  // namespace berth::eviction
