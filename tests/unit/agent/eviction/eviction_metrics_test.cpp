// SPDX-License-Identifier: Apache-2.0

// Eviction metrics in the kubelet's format.
#include "agent/eviction/eviction_metrics.hpp"

#include <gtest/gtest.h>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using eviction::Signal;
using eviction::wall;

eviction::JudgedThreshold due(Signal signal, std::optional<WallTime> sampled) {
  return {
      .threshold = eviction::threshold(signal, "100Mi"),
      .observation = eviction::Observation{.value = eviction::quantity("50Mi"), .time = sampled}};
}

TEST(EvictionMetrics, begin_with_the_first_eviction) {
  std::string out;
  EvictionMetrics{}.write(out);
  EXPECT_EQ(out, "");
}

TEST(EvictionMetrics, are_written_as_the_kubelet_writes_them) {
  EvictionMetrics metrics;
  metrics.decided({due(Signal::kMemoryAvailable, wall(98)), due(Signal::kNodeFsAvailable, {})},
                  wall(100));
  metrics.evicted("memory.available");
  metrics.evicted("emptydirfs.limit");
  metrics.evicted("memory.available");
  std::string out;
  metrics.write(out);
  EXPECT_TRUE(out.starts_with(
      "# HELP kubelet_eviction_stats_age_seconds [ALPHA] Time between when stats are collected, "
      "and when pod is evicted based on those stats by eviction signal\n"
      "# TYPE kubelet_eviction_stats_age_seconds histogram\n"
      "kubelet_eviction_stats_age_seconds_bucket{eviction_signal=\"memory.available\",le=\"0.005\"}"
      " "
      "0\n"))
      << out;
  EXPECT_NE(out.find("kubelet_eviction_stats_age_seconds_sum{eviction_signal=\"memory.available\"} "
                     "2\n"),
            std::string::npos);
  EXPECT_EQ(out.find("nodefs"), std::string::npos) << "nobody knows how old that sample is";
  EXPECT_TRUE(out.ends_with(
      "# HELP kubelet_evictions [ALPHA] Cumulative number of pod evictions by eviction signal\n"
      "# TYPE kubelet_evictions counter\n"
      "kubelet_evictions{eviction_signal=\"emptydirfs.limit\"} 1\n"
      "kubelet_evictions{eviction_signal=\"memory.available\"} 2\n"))
      << out;
}

TEST(EvictionMetrics, a_sample_of_the_future_is_as_old_as_nothing) {
  EvictionMetrics metrics;
  metrics.decided({due(Signal::kMemoryAvailable, wall(101))}, wall(100));
  std::string out;
  metrics.write(out);
  EXPECT_NE(out.find("seconds_sum{eviction_signal=\"memory.available\"} 0\n"), std::string::npos);
}

}  // namespace
}  // namespace berth::agent
