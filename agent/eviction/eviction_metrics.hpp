// SPDX-License-Identifier: Apache-2.0

// Eviction's metrics, by the kubelet's names: kubelet_evictions,
// kubelet_eviction_stats_age_seconds.
//
// A series begins with its first value. A value; loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agent/metrics/metric_text.hpp"
#include "base/clock_types.hpp"
#include "eviction/pressure.hpp"

namespace berth::agent {

class EvictionMetrics {
 public:
  // Counts a pod that was evicted because of that signal (the kubelet's label eviction_signal).
  void evicted(const std::string& signal) { ++evictions_[signal]; }
  // Observes the ages of these thresholds' samples: they are due, and pods are ranked for them.
  void decided(const std::vector<eviction::JudgedThreshold>& due, WallTime now);

  [[nodiscard]] const std::map<std::string, std::uint64_t>& evictions() const { return evictions_; }
  void write(std::string& out) const;

 private:
  std::map<std::string, std::uint64_t> evictions_{};     // by signal
  std::map<std::string, SecondsHistogram> stats_age_{};  // likewise
};

}  // namespace berth::agent
