// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/eviction_metrics.hpp"

#include <algorithm>
#include <chrono>

namespace berth::agent {
namespace {

std::string labels_of(const std::string& signal) {
  return "eviction_signal=\"" + metric_label(signal) + "\"";
}

}  // namespace

void EvictionMetrics::decided(const std::vector<eviction::JudgedThreshold>& due, WallTime now) {
  for (const eviction::JudgedThreshold& judged : due) {
    if (!judged.observation || !judged.observation->time) continue;
    const std::chrono::duration<double> age = now - *judged.observation->time;
    stats_age_[std::string(to_string(judged.threshold.signal))].observe(std::max(age.count(), 0.0));
  }
}

void EvictionMetrics::write(std::string& out) const {
  constexpr const char* kEvictions = "kubelet_evictions";
  constexpr const char* kStatsAge = "kubelet_eviction_stats_age_seconds";
  if (!stats_age_.empty())
    write_metric_head(out, kStatsAge, "histogram",
                      "[ALPHA] Time between when stats are collected, and when pod is evicted "
                      "based on those stats by eviction signal");
  for (const auto& [signal, ages] : stats_age_) ages.write(out, kStatsAge, labels_of(signal));
  if (!evictions_.empty())
    write_metric_head(out, kEvictions, "counter",
                      "[ALPHA] Cumulative number of pod evictions by eviction signal");
  for (const auto& [signal, count] : evictions_)
    out += std::string(kEvictions) + "{" + labels_of(signal) + "} " + metric_number(count) + "\n";
}

}  // namespace berth::agent
