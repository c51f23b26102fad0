// SPDX-License-Identifier: Apache-2.0

// When a threshold acts, and what it waits for if it does not act now.
#include <gtest/gtest.h>

#include <chrono>

#include "eviction/explain.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum DueWait;
using std::chrono::seconds;

constexpr std::int64_t kNow = 100;

EvictionState evicted_at(std::int64_t eviction) {
  return {.pressure = {.last_eviction = steady(eviction)}};
}
EvictionState freed_since(std::int64_t gone) {
  return {.pressure = {.last_eviction = steady(gone), .last_gone_for_disk = steady(gone)}};
}
EvictionState measured_at(Signal signal, std::int64_t at) {
  return {.pressure = {.samples = {{signal, wall(at)}}}};
}

// Memory and disk are short, and processes stall on memory.
NodeReadings short_of_all() {
  return {.memory = memory_left(50 * kMi, kNow),
          .node_fs = disk_left(kGi, kNow),
          .own = {.memory_pressure = StallReading{.some_avg60 = 500'000, .time = wall(kNow)}}};
}

Explanation explained(const std::vector<Threshold>& thresholds, const EvictionState& state,
                      UnderWay under_way = {}, const NodeReadings& node = short_of_all(),
                      const History& history = History()) {
  const EvictionConfig config{.thresholds = thresholds, .rules = kRules};
  const api::Pod pod = make_pod({.name = "a"});
  const Readings readings{.node = node, .pods = {{"uid-a", using_memory(kGi)}}};
  return explain(config, state,
                 {.readings = &readings,
                  .layout = FileSystemLayout::kSingle,
                  .pods = {&pod},
                  .now = steady(kNow)},
                 history, under_way);
}

TEST(ExplanationWaits, a_due_threshold_says_what_it_waits_for_and_how_long) {
  struct Case {
    const char* what = "";
    Signal signal{};
    EvictionState state{};
    UnderWay under_way{};
    std::optional<DueWait> waits_for{};
    std::optional<Nanoseconds> until_action{};
  };
  const Case cases[] = {
      {"nothing", kMemoryAvailable, {}, {}, {}, seconds(0)},
      {"long ago", kMemoryAvailable, freed_since(10), {}, {}, seconds(0)},
      {"memory is free at once", kMemoryAvailable, freed_since(96), {}, {}, seconds(0)},
      {"the same sample",
       kMemoryAvailable,
       measured_at(kMemoryAvailable, kNow),
       {},
       kNewSample,
       seconds(0)},
      {"an older sample",
       kMemoryAvailable,
       measured_at(kMemoryAvailable, kNow - 1),
       {},
       {},
       seconds(0)},
      {"a disk frees", kNodeFsAvailable, freed_since(96), {}, kFreedDisk, seconds(6)},
      {"a disk has freed", kNodeFsAvailable, freed_since(90), {}, {}, seconds(0)},
      {"somebody went for memory", kNodeFsAvailable, evicted_at(96), {}, {}, seconds(0)},
      {"an average", kMemoryPressureSomeAvg60, evicted_at(70), {}, kAverage, seconds(30)},
      {"an average of later", kMemoryPressureSomeAvg60, evicted_at(40), {}, {}, seconds(0)},
      {"a reclaim", kNodeFsAvailable, {}, {.reclaiming = true}, kReclaim, {}},
      {"a reclaim frees no memory", kMemoryAvailable, {}, {.reclaiming = true}, {}, seconds(0)},
      {"an end", kMemoryAvailable, {}, {.pod_is_ending = true}, kPodEnd, {}},
      {"an end, and then the disk",
       kNodeFsAvailable,
       freed_since(96),
       {.pod_is_ending = true},
       kPodEnd,
       {}},
  };
  for (const Case& one : cases) {
    const char* limit = one.signal == kMemoryPressureSomeAvg60 ? "100k" : "10Gi";
    const auto view = explained({threshold(one.signal, limit)}, one.state, one.under_way);
    ASSERT_EQ(view.signals.size(), 1U) << one.what;
    const ThresholdOutlook& outlook = view.signals[0].thresholds.at(0);
    EXPECT_EQ(outlook.waits_for, one.waits_for) << one.what;
    EXPECT_EQ(outlook.until_action, one.until_action) << one.what;
    EXPECT_EQ(view.waits_for, one.waits_for) << one.what;
    EXPECT_EQ(view.until_action, one.until_action) << one.what;
  }
}

TEST(ExplanationWaits, of_several_the_first_to_act_counts) {
  const auto both =
      std::vector{threshold(kMemoryAvailable, "100Mi"), threshold(kNodeFsAvailable, "10Gi")};
  const auto memory_acts = explained(both, freed_since(96));
  EXPECT_EQ(memory_acts.until_action, seconds(0));
  EXPECT_FALSE(memory_acts.waits_for);
  const auto reclaiming =
      explained(both, measured_at(kMemoryAvailable, kNow), {.reclaiming = true});
  EXPECT_EQ(reclaiming.waits_for, kNewSample);

  const auto calm = std::vector{threshold(kMemoryAvailable, "10Mi", seconds(30)),
                                threshold(kNodeFsAvailable, "10Gi")};
  const auto unknown = explained(calm, {}, {.pod_is_ending = true});
  EXPECT_EQ(unknown.waits_for, kPodEnd);
  EXPECT_FALSE(unknown.until_action);
}

TEST(ExplanationWaits, what_is_not_due_yet_acts_no_sooner_than_it_may) {
  const auto soft = std::vector{threshold(kNodeFsAvailable, "10Gi", seconds(3))};
  const auto view = explained(soft, freed_since(96));
  EXPECT_EQ(view.signals[0].thresholds[0].judged.standing, ThresholdStanding::kWithinGrace);
  EXPECT_EQ(view.until_action, seconds(6)) << "by then its grace period is over";
  EXPECT_FALSE(view.waits_for) << "nothing is due";
}

class NobodyCouldGoTest : public ::testing::Test {
 protected:
  Explanation explained(const EvictionState& state, UnderWay under_way = {}) {
    const Readings readings{.node = short_of_all()};
    return explain(
        {.thresholds = {threshold(kMemoryAvailable, "100Mi"), threshold(kNodeFsAvailable, disk)},
         .rules = kRules},
        state,
        {.readings = &readings,
         .layout = FileSystemLayout::kSingle,
         .pods = pointers(pods),
         .now = steady(kNow)},
        History(), under_way);
  }
  void expect_no_action(const Explanation& view) {
    EXPECT_FALSE(view.until_action);
    EXPECT_FALSE(view.waits_for);
    for (const SignalOutlook& signal : view.signals) {
      const ThresholdOutlook& outlook = signal.thresholds.at(0);
      if (outlook.judged.standing == ThresholdStanding::kNotMet) continue;
      EXPECT_EQ(outlook.until_met, seconds(0));
      EXPECT_FALSE(outlook.until_action) << to_string(signal.signal);
      EXPECT_FALSE(outlook.waits_for) << to_string(signal.signal);
    }
  }

  std::vector<api::Pod> pods{make_pod({.name = "critical", .priority = 2'000'000'000})};
  const char* disk = "10Mi";  // the threshold is not met
};

TEST_F(NobodyCouldGoTest, a_due_threshold_does_not_say_that_it_acts) {
  const auto all_exempt = explained({});
  EXPECT_EQ(all_exempt.verdict, CycleVerdict::kNobodyEvictable);
  expect_no_action(all_exempt);
  expect_no_action(explained({}, {.pod_is_ending = true}));
  pods.clear();
  const auto no_pods = explained({});
  EXPECT_EQ(no_pods.verdict, CycleVerdict::kNoPods);
  expect_no_action(no_pods);
}

TEST_F(NobodyCouldGoTest, another_due_threshold_has_no_turn_even_if_the_node_could_reclaim_for_it) {
  disk = "10Gi";
  expect_no_action(explained({}));
}

TEST_F(NobodyCouldGoTest, a_due_threshold_does_not_say_that_it_acts_with_the_next_measurement) {
  const auto view = explained(measured_at(kMemoryAvailable, kNow));
  EXPECT_EQ(view.verdict, CycleVerdict::kWaiting);
  expect_no_action(view);
}

TEST_F(NobodyCouldGoTest, the_node_reclaims_for_a_disk_all_the_same) {
  disk = "10Gi";
  const auto view = explained(measured_at(kMemoryAvailable, kNow));
  EXPECT_EQ(view.verdict, CycleVerdict::kReclaimOnNode);
  EXPECT_EQ(view.until_action, seconds(0));
}

TEST(ExplanationWaits, pods_beyond_their_limits_wait_for_an_end_and_for_nothing_else) {
  api::Pod full = make_pod({.name = "full"});
  full.spec.volumes = {
      {.name = "v", .emptyDir = api::EmptyDirVolumeSource{.sizeLimit = quantity("1Mi")}}};
  Readings readings{.node = short_of_all()};
  readings.pods["uid-full"].volumes = {{.name = "v", .used = {.bytes = 2 * kMi}}};
  const EvictionConfig config{.thresholds = {threshold(kNodeFsAvailable, "10Gi")}, .rules = kRules};
  const auto waits_for = [&](UnderWay under_way) {
    const auto view = explain(config, freed_since(96),
                              {.readings = &readings,
                               .layout = FileSystemLayout::kSingle,
                               .pods = {&full},
                               .now = steady(kNow)},
                              History(), under_way);
    EXPECT_EQ(view.verdict, CycleVerdict::kLimitsExceeded);
    return view.waits_for;
  };
  EXPECT_EQ(waits_for({}), std::nullopt);
  EXPECT_EQ(waits_for({.reclaiming = true}), std::nullopt);
  EXPECT_EQ(waits_for({.pod_is_ending = true}), kPodEnd);
}

}  // namespace
}  // namespace berth::eviction
