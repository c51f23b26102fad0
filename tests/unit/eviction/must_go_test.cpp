// SPDX-License-Identifier: Apache-2.0

// Which pods would follow the first victim.
#include "eviction/must_go.hpp"

#include <gtest/gtest.h>

#include "eviction/explain.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

JudgedThreshold due(Threshold threshold, std::int64_t value) {
  const api::Quantity limit = amount_of(threshold.value, quantity("4Gi"));
  return {.threshold = std::move(threshold),
          .standing = ThresholdStanding::kDue,
          .observation =
              Observation{.value = api::Quantity::from_int(value), .capacity = quantity("4Gi")},
          .limit = limit};
}

JudgedThreshold memory_due(std::int64_t left) {
  return due(threshold(Signal::kMemoryAvailable, "1Gi"), left);
}

RankedPod using_bytes(const char* name, std::int64_t bytes) {
  return {.pod = {.name = name, .namespace_ = "default", .uid = name},
          .use = {.has_reading = true, .usage = api::Quantity::from_int(bytes)}};
}

std::string names(const std::vector<PodReference>& pods) {
  std::string text;
  for (const auto& pod : pods) text += (text.empty() ? "" : " ") + pod.name;
  return text;
}

TEST(MustGo, ends_where_the_measured_use_covers_what_is_missing) {
  const std::vector<RankedPod> ranking = {using_bytes("a", 200 * kMi), using_bytes("b", 300 * kMi),
                                          using_bytes("c", 500 * kMi)};
  EXPECT_EQ(names(must_go({memory_due(kGi - 100 * kMi)}, ranking)), "a");
  EXPECT_EQ(names(must_go({memory_due(kGi - 200 * kMi)}, ranking)), "a") << "equal is no pressure";
  EXPECT_EQ(names(must_go({memory_due(kGi - 201 * kMi)}, ranking)), "a b");
  EXPECT_EQ(names(must_go({memory_due(0)}, ranking)), "a b c") << "all do not cover it";
  EXPECT_EQ(names(must_go({memory_due(kGi)}, ranking)), "a") << "somebody goes: it is due";
  EXPECT_EQ(names(must_go({memory_due(0)}, {})), "");
}

TEST(MustGo, the_minimum_reclaim_is_missing_too) {
  const JudgedThreshold judged =
      due(with_reclaim(threshold(Signal::kMemoryAvailable, "1Gi"), "150Mi"), kGi - 100 * kMi);
  EXPECT_EQ(missing(judged), 250.0 * kMi);
  EXPECT_EQ(names(must_go({judged}, {using_bytes("a", 200 * kMi), using_bytes("b", 50 * kMi),
                                     using_bytes("c", kGi)})),
            "a b");
}

TEST(MustGo, of_several_thresholds_of_a_signal_the_largest_shortage_counts) {
  EXPECT_EQ(names(must_go({memory_due(kGi - 100 * kMi),
                           due(threshold(Signal::kMemoryAvailable, "2Gi"), kGi - 100 * kMi)},
                          {using_bytes("a", 200 * kMi), using_bytes("b", kGi)})),
            "a b");
}

TEST(MustGo, exempt_pods_stay_and_free_nothing) {
  RankedPod critical = using_bytes("critical", kGi);
  critical.exempt = Exemption::kSystemPriority;
  EXPECT_EQ(names(must_go({memory_due(kGi - 100 * kMi)},
                          {critical, using_bytes("a", 200 * kMi), using_bytes("b", kGi)})),
            "a");
}

TEST(MustGo, what_was_not_measured_covers_nothing) {
  RankedPod unmeasured = using_bytes("a", kGi);
  unmeasured.use.has_reading = false;
  EXPECT_EQ(names(must_go({memory_due(kGi - 100 * kMi)}, {unmeasured, using_bytes("b", kGi)})),
            "a b");
}

TEST(MustGo, no_amount_promises_the_end_of_a_stall) {
  const JudgedThreshold stalled =
      due({.signal = Signal::kMemoryPressureFullAvg10, .value = Share{0.1F}}, 200'000);
  EXPECT_FALSE(missing(stalled));
  EXPECT_EQ(names(must_go({stalled}, {using_bytes("a", kGi), using_bytes("b", kGi)})), "a b");
}

struct Node {
  std::vector<api::Pod> pods{};
  Readings readings{};

  [[nodiscard]] Explanation explained(const EvictionConfig& config) const {
    const CycleInput input{.readings = &readings,
                           .layout = FileSystemLayout::kSingle,
                           .pods = pointers(pods),
                           .now = steady(10)};
    return explain(config, {}, input, History());
  }
};

TEST(Explain, names_everybody_whom_limits_of_local_storage_evict) {
  Node node{.pods = {make_pod({.name = "a"}), make_pod({.name = "b"}), make_pod({.name = "c"})}};
  for (api::Pod& pod : node.pods) {
    pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("10Mi");
    node.readings.pods[pod.metadata.uid] = using_disk(0, pod.metadata.name == "b" ? 0 : 20 * kMi);
    node.readings.pods[pod.metadata.uid].ephemeral_storage =
        pod.metadata.name == "b" ? 0 : 20 * kMi;
  }
  const Explanation view = node.explained({.rules = kRules});
  EXPECT_EQ(view.verdict, CycleVerdict::kLimitsExceeded);
  ASSERT_EQ(view.evictions.size(), 2U);
  EXPECT_EQ(view.evictions[0].pod.name, "a");
  EXPECT_EQ(view.evictions[1].pod.name, "c");
}

TEST(Explain, ranks_by_memory_disk_and_processes_without_any_threshold) {
  const Node node{.pods = {make_pod({.name = "a"})}};
  const Explanation view =
      node.explained({.local_storage_capacity_isolation = false, .rules = kRules});
  EXPECT_EQ(view.verdict, CycleVerdict::kNothingConfigured);
  EXPECT_TRUE(view.rankings.empty());
  std::vector<Signal> signals;
  for (const SignalRanking& one : view.by_resource) {
    signals.push_back(one.signal);
    EXPECT_EQ(one.ranking.size(), 1U);
  }
  EXPECT_EQ(signals, (std::vector{Signal::kMemoryAvailable, Signal::kNodeFsAvailable,
                                  Signal::kPidAvailable}));
}

}  // namespace
}  // namespace berth::eviction
