// SPDX-License-Identifier: Apache-2.0

// Thresholds met, grace periods, minimum reclaim, conditions, stale samples, the order of urgency.
#include "eviction/pressure.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum ThresholdStanding;
using std::chrono::seconds;

constexpr seconds kTransition{300};

Observations memory_at(std::int64_t available, std::int64_t at) {
  return observe({.memory = memory_left(available, at)});
}

// Consecutive passes over one node.
class Looks {
 public:
  explicit Looks(std::vector<Threshold> thresholds) : thresholds_(std::move(thresholds)) {}

  const JudgedThreshold& memory(std::int64_t available, std::int64_t at) {
    return at_least_one(memory_at(available, at), at);
  }
  const JudgedThreshold& at_least_one(const Observations& observations, std::int64_t at) {
    last_ = judge(last_.state, thresholds_, observations, kTransition, steady(at));
    return last_.thresholds.front();
  }
  [[nodiscard]] bool shows(PressureCondition condition) const {
    return last_.state.conditions.contains(condition);
  }
  [[nodiscard]] const PressureState& state() const { return last_.state; }

 private:
  std::vector<Threshold> thresholds_;
  Judgement last_{};
};

TEST(Pressure, a_threshold_is_met_strictly_below_it) {
  Looks looks({threshold(kMemoryAvailable, "100Mi")});
  EXPECT_EQ(looks.memory(100 * kMi, 0).standing, kNotMet);
  EXPECT_EQ(looks.memory(100 * kMi - 1, 10).standing, kDue);
  EXPECT_TRUE(looks.shows(PressureCondition::kMemoryPressure));
}

TEST(Pressure, a_stall_is_met_strictly_above_it) {
  const auto stalled = [](std::int64_t parts) {
    return observe(
        {.own = {.memory_pressure = StallReading{.full_avg10 = parts, .time = wall(parts)}}});
  };
  Looks looks({{.signal = kMemoryPressureFullAvg10, .value = Share{0.1F}}});
  EXPECT_EQ(looks.at_least_one(stalled(100'000), 0).standing, kNotMet);
  EXPECT_EQ(looks.at_least_one(stalled(100'100), 10).standing, kDue);
  EXPECT_TRUE(looks.shows(PressureCondition::kMemoryPressure));
}

TEST(Pressure, a_signal_that_was_not_measured_is_passed_over) {
  Looks looks({threshold(kMemoryAvailable, "100Mi")});
  const JudgedThreshold& judged = looks.at_least_one({}, 0);
  EXPECT_EQ(judged.standing, kNoReading);
  EXPECT_FALSE(judged.observation);
  EXPECT_TRUE(looks.state().conditions.empty());
}

TEST(Pressure, a_soft_threshold_shows_its_condition_at_once_and_acts_after_its_grace_period) {
  Looks looks({threshold(kMemoryAvailable, "200Mi", seconds(30))});
  EXPECT_EQ(looks.memory(150 * kMi, 0).standing, kWithinGrace);
  EXPECT_TRUE(looks.shows(PressureCondition::kMemoryPressure));
  EXPECT_EQ(looks.memory(150 * kMi, 29).standing, kWithinGrace);
  EXPECT_EQ(looks.memory(150 * kMi, 30).standing, kDue);
}

TEST(Pressure, one_moment_without_it_starts_the_grace_period_over) {
  Looks looks({threshold(kMemoryAvailable, "200Mi", seconds(30))});
  looks.memory(150 * kMi, 0);
  EXPECT_EQ(looks.memory(250 * kMi, 20).standing, kNotMet);
  EXPECT_EQ(looks.memory(150 * kMi, 25).standing, kWithinGrace);
  EXPECT_EQ(looks.memory(150 * kMi, 54).standing, kWithinGrace);
  EXPECT_EQ(looks.memory(150 * kMi, 55).standing, kDue);
}

TEST(Pressure, what_was_due_stays_met_until_the_minimum_reclaim_is_gained_as_well) {
  Looks looks({with_reclaim(threshold(kMemoryAvailable, "100Mi"), "50Mi")});
  EXPECT_EQ(looks.memory(120 * kMi, 0).standing, kNotMet) << "it was not due before";
  EXPECT_EQ(looks.memory(90 * kMi, 10).standing, kDue);
  const JudgedThreshold& kept = looks.memory(120 * kMi, 20);
  EXPECT_EQ(kept.standing, kDue);
  EXPECT_TRUE(kept.kept_by_reclaim);
  EXPECT_EQ(kept.resolved->value(), 150 * kMi);
  EXPECT_EQ(looks.memory(150 * kMi, 30).standing, kNotMet);
}

TEST(Pressure, the_minimum_reclaim_does_not_keep_what_is_within_its_grace_period) {
  Looks looks({with_reclaim(threshold(kMemoryAvailable, "100Mi", seconds(60)), "50Mi")});
  EXPECT_EQ(looks.memory(90 * kMi, 0).standing, kWithinGrace);
  EXPECT_EQ(looks.memory(120 * kMi, 10).standing, kNotMet);
}

TEST(Pressure, the_same_sample_decides_nothing_twice_and_still_shows_the_condition) {
  Looks looks({threshold(kMemoryAvailable, "100Mi")});
  EXPECT_EQ(looks.memory(90 * kMi, 0).standing, kDue);
  looks.at_least_one(memory_at(90 * kMi, 0), 10);
  EXPECT_EQ(looks.at_least_one(memory_at(90 * kMi, 0), 400).standing, kStaleReading);
  EXPECT_TRUE(looks.shows(PressureCondition::kMemoryPressure));
  EXPECT_EQ(looks.at_least_one(memory_at(90 * kMi, 401), 401).standing, kDue);
}

TEST(Pressure, a_sample_is_new_where_there_was_none_or_one_of_the_two_bears_no_time) {
  Looks looks({threshold(kMemoryAvailable, "100Mi")});
  EXPECT_EQ(looks.memory(90 * kMi, 50).standing, kDue);
  looks.at_least_one({}, 60);
  EXPECT_EQ(looks.at_least_one(memory_at(90 * kMi, 50), 70).standing, kDue);
  MemoryReading timeless = memory_left(90 * kMi, 0);
  timeless.time.reset();
  EXPECT_EQ(looks.at_least_one(observe({.memory = timeless}), 80).standing, kDue);
  EXPECT_EQ(looks.at_least_one(observe({.memory = timeless}), 90).standing, kDue);
  EXPECT_EQ(looks.at_least_one(memory_at(90 * kMi, 50), 100).standing, kDue);
}

TEST(Pressure, a_condition_goes_when_it_was_not_seen_for_the_transition_period) {
  Looks looks({threshold(kMemoryAvailable, "100Mi")});
  looks.memory(90 * kMi, 0);
  looks.memory(4 * kGi, 299);
  EXPECT_TRUE(looks.shows(PressureCondition::kMemoryPressure));
  looks.memory(4 * kGi, 300);
  EXPECT_FALSE(looks.shows(PressureCondition::kMemoryPressure));
}

TEST(Pressure, what_is_no_longer_configured_is_kept_only_until_it_is_resolved) {
  const Threshold old = with_reclaim(threshold(kMemoryAvailable, "100Mi"), "50Mi");
  const auto first = judge({}, {old}, memory_at(90 * kMi, 0), kTransition, steady(0));
  const auto kept = judge(first.state, {}, memory_at(120 * kMi, 10), kTransition, steady(10));
  ASSERT_EQ(kept.thresholds.size(), 1U);
  EXPECT_EQ(kept.thresholds[0].standing, kDue);
  const auto gone = judge(kept.state, {}, memory_at(150 * kMi, 20), kTransition, steady(20));
  EXPECT_TRUE(gone.state.due.empty());
}

TEST(Unresolved, counts_the_minimum_reclaim_and_no_grace_period) {
  const std::vector<Threshold> thresholds = {
      with_reclaim(threshold(kMemoryAvailable, "100Mi", seconds(600)), "50Mi")};
  EXPECT_EQ(unresolved(thresholds, memory_at(149 * kMi, 0)).size(), 1U);
  EXPECT_TRUE(unresolved(thresholds, memory_at(150 * kMi, 0)).empty());
  EXPECT_TRUE(unresolved(thresholds, {}).empty());
}

TEST(Urgency, memory_first_then_hard_then_the_larger_relative_deficit_then_the_signals_order) {
  const Observations seen = observe({.memory = memory_left(90 * kMi, 0),
                                     .node_fs = disk_left(2 * kGi, 0),
                                     .image_fs = disk_left(kGi, 0),
                                     .container_fs = disk_left(kGi, 0)});
  const std::vector<Threshold> thresholds = {
      threshold(kContainerFsAvailable, "10Gi"), threshold(kNodeFsAvailable, "10Gi"),
      threshold(kImageFsAvailable, "10Gi"), threshold(kMemoryAvailable, "100Mi", seconds(1)),
      threshold(kNodeFsAvailable, "50Gi", seconds(1))};
  const auto first = judge({}, thresholds, seen, kTransition, steady(0));
  auto state = first.state;
  state.samples.clear();
  const auto due =
      in_eviction_order(judge(state, thresholds, seen, kTransition, steady(10)).thresholds);
  std::vector<std::string> order;
  order.reserve(due.size());
  for (const JudgedThreshold& one : due) order.push_back(to_string(one.threshold));
  EXPECT_EQ(order, (std::vector<std::string>{"memory.available<100Mi", "imagefs.available<10Gi",
                                             "containerfs.available<10Gi", "nodefs.available<10Gi",
                                             "nodefs.available<50Gi"}));
}

TEST(Observations, need_every_part_of_their_reading) {
  EXPECT_TRUE(observe({.memory = MemoryReading{.available = 1}}).empty());
  EXPECT_TRUE(observe({.node_fs = FileSystemReading{.available = 1, .inodes = 1}}).empty());
  EXPECT_TRUE(observe({.pids = PidReading{.max = 1}}).empty());
  const auto seen = observe({.pids = PidReading{.running = 900, .max = 1000}});
  EXPECT_EQ(seen.at(kPidAvailable).value.value(), 100);
  EXPECT_EQ(seen.at(kPidAvailable).capacity.value(), 1000);
  const auto memory = memory_at(kGi, 7).at(kMemoryAvailable);
  EXPECT_EQ(memory.capacity.value(), 4 * kGi);
  EXPECT_EQ(memory.time, wall(7));
}

TEST(Observations, what_is_left_is_never_shown_as_more_than_that) {
  const auto left = [](std::int64_t bytes) {
    return observed_clause(kMemoryAvailable, api::Quantity::from_int(bytes));
  };
  EXPECT_EQ(left(2 * kGi), "2Gi is left");
  EXPECT_FALSE(left(2 * kGi - 1).starts_with("2Gi")) << left(2 * kGi - 1);
}

TEST(Observations, the_capacity_of_memory_is_its_limit_though_more_is_in_use) {
  const MemoryReading known{.available = 0, .working_set = 5 * kGi, .limit = 4 * kGi};
  EXPECT_EQ(observe({.memory = known}).at(kMemoryAvailable).capacity.value(), 4 * kGi);
  const MemoryReading wrapped{.available = -kGi, .working_set = 5 * kGi};
  EXPECT_EQ(observe({.memory = wrapped}).at(kMemoryAvailable).capacity.value(), 4 * kGi);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const MemoryReading absurd{.available = kMost, .working_set = 1};
  EXPECT_EQ(observe({.memory = absurd}).at(kMemoryAvailable).capacity.value(), -kMost - 1)
      << "a sum of unsigned numbers";
}

TEST(Signals, are_averaged_over_what_their_names_say) {
  for (const SignalTraits& one : all_signals()) {
    const auto average = one.name.rfind(".avg");
    const std::int64_t expected = average == std::string_view::npos
                                      ? 0
                                      : std::stoll(std::string(one.name.substr(average + 4)));
    EXPECT_EQ(one.averaged_over, seconds(expected)) << one.name;
  }
}

TEST(Observations, each_stall_is_its_own_signal) {
  const StallReading stall{
      .some_avg10 = 40'000, .some_avg60 = 30'000, .full_avg10 = 20'000, .full_avg60 = 10'000};
  const auto seen =
      observe({.own = {.memory_pressure = stall, .allocatable_memory_pressure = stall}});
  EXPECT_EQ(seen.size(), 8U);
  EXPECT_EQ(to_text(kMemoryPressureSomeAvg10, seen.at(kMemoryPressureSomeAvg10).value), "4%");
  EXPECT_EQ(to_text(kMemoryPressureSomeAvg60, seen.at(kMemoryPressureSomeAvg60).value), "3%");
  EXPECT_EQ(seen.at(kAllocatableMemoryPressureFullAvg10).value.value(), 20'000);
  EXPECT_EQ(seen.at(kAllocatableMemoryPressureFullAvg60).value.value(), 10'000);
}

TEST(Observations, swap_and_memory_with_its_cache_are_signals_with_capacities_of_their_own) {
  const auto seen = observe(
      {.own = {.memory_with_cache = AmountReading{.available = 1, .capacity = 10},
               .allocatable_memory_with_cache = AmountReading{.available = 2, .capacity = 20},
               .swap = AmountReading{.available = 3, .capacity = 30}}});
  ASSERT_EQ(seen.size(), 3U);
  std::int64_t number = 0;
  for (const Signal signal :
       {kMemoryAvailableWithCache, kAllocatableMemoryAvailableWithCache, kSwapAvailable}) {
    ++number;
    EXPECT_EQ(seen.at(signal).value.value(), number) << to_string(signal);
    EXPECT_EQ(seen.at(signal).capacity.value(), 10 * number) << to_string(signal);
  }
}

TEST(Observations, waits_for_disks_are_signals_of_the_node_and_of_its_pods) {
  const StallReading node{.some_avg10 = 6,
                          .some_avg60 = 5,
                          .some_avg300 = 4,
                          .full_avg10 = 3,
                          .full_avg60 = 2,
                          .full_avg300 = 1};
  const StallReading pods{.some_avg10 = 16,
                          .some_avg60 = 15,
                          .some_avg300 = 14,
                          .full_avg10 = 13,
                          .full_avg60 = 12,
                          .full_avg300 = 11};
  const auto seen = observe({.own = {.io_pressure = node, .allocatable_io_pressure = pods}});
  std::map<std::string, std::int64_t> values;
  for (const auto& [signal, one] : seen) values.emplace(to_string(signal), one.value.value());
  EXPECT_EQ(values,
            (std::map<std::string, std::int64_t>{{"io.pressure.some.avg10", 6},
                                                 {"io.pressure.some.avg60", 5},
                                                 {"io.pressure.some.avg300", 4},
                                                 {"io.pressure.full.avg10", 3},
                                                 {"io.pressure.full.avg60", 2},
                                                 {"io.pressure.full.avg300", 1},
                                                 {"allocatableIO.pressure.some.avg10", 16},
                                                 {"allocatableIO.pressure.some.avg60", 15},
                                                 {"allocatableIO.pressure.some.avg300", 14},
                                                 {"allocatableIO.pressure.full.avg10", 13},
                                                 {"allocatableIO.pressure.full.avg60", 12},
                                                 {"allocatableIO.pressure.full.avg300", 11}}));
}

TEST(Signals, are_found_by_their_names_and_know_their_resource_and_condition) {
  for (const SignalTraits& one : all_signals()) {
    EXPECT_EQ(parse_signal(one.name, true), one.signal);
    EXPECT_EQ(parse_signal(one.name, false).has_value(), one.origin == SignalOrigin::kKubernetes);
  }
  EXPECT_EQ(to_string(traits(kImageFsInodesFree).resource), "inodes");
  EXPECT_EQ(to_string(traits(kPidAvailable).condition), "PIDPressure");
  EXPECT_EQ(to_string(traits(kSwapAvailable).condition), "MemoryPressure");
  EXPECT_EQ(to_string(traits(kIoPressureFullAvg10).condition), "DiskPressure");
  EXPECT_EQ(to_string(traits(kIoPressureFullAvg10).resource), "io");
}

}  // namespace
}  // namespace berth::eviction
