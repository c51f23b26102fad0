// SPDX-License-Identifier: Apache-2.0

#include "agent/service/service_status.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lifecycle/reasons.hpp"

namespace berth::agent {
namespace {

constexpr int kPercentUnsaid = 2;

bool backs_off(const api::ContainerStatus& container) {
  const auto& waiting = container.state.waiting;
  return waiting && (waiting->reason == lifecycle::kCrashLoopBackOff ||
                     waiting->reason == lifecycle::kImagePullBackOff);
}

bool runs(const api::ContainerStatus& container) {
  return container.state.running.has_value();
}

void count(const api::Pod& pod, systemd::ServiceStatus& status) {
  const api::PodStatus& is = pod.status;
  if (is.phase == "Succeeded" || is.phase == "Failed") {
    ++status.finished;
  } else if (pod.metadata.deletionTimestamp) {
    ++status.ending;
  } else if (std::ranges::any_of(is.initContainerStatuses, backs_off) ||
             std::ranges::any_of(is.containerStatuses, backs_off)) {
    ++status.backing_off;
  } else if (is.phase == "Running" && std::ranges::all_of(is.containerStatuses, runs)) {
    ++status.running;
  } else {
    ++status.starting;
  }
}

// The room left before the nearest threshold on memory, as a percentage of the use at which it is
// met.
std::optional<int> memory_below(const std::vector<eviction::JudgedThreshold>& thresholds) {
  std::optional<int> nearest;
  for (const auto& judged : thresholds) {
    if (judged.threshold.signal != eviction::Signal::kMemoryAvailable) continue;
    if (!judged.observation || !judged.limit) continue;
    const double limit = judged.limit->as_double();
    const double use_at_limit = judged.observation->capacity.as_double() - limit;
    if (use_at_limit <= 0) continue;
    const double room = judged.observation->value.as_double() - limit;
    const int percent = static_cast<int>(std::floor(100 * room / use_at_limit));
    nearest = std::min(nearest.value_or(percent), percent);
  }
  return nearest;
}

// A change across the limit is always shown.
bool is_news(int now, int shown) {
  return (now > 0) != (shown > 0) || std::abs(now - shown) > kPercentUnsaid;
}

}  // namespace

systemd::ServiceStatus service_status(const ServiceFacts& facts,
                                      const systemd::ServiceStatus& shown) {
  systemd::ServiceStatus status{.waits_for = facts.waits_for,
                                .memory_below_threshold = memory_below(facts.thresholds),
                                .pressure = facts.pressure};
  for (const auto& pod : facts.pods) count(*pod, status);
  auto& now = status.memory_below_threshold;
  const auto& before = shown.memory_below_threshold;
  if (now && before && !is_news(*now, *before)) now = before;
  return status;
}

}  // namespace berth::agent
