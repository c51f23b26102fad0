// SPDX-License-Identifier: Apache-2.0

// The series of readings: bounded, and the worst are kept; slopes, the fastest change, when to
// measure next.
#include "eviction/history.hpp"

#include <gtest/gtest.h>

#include "eviction/sampling.hpp"
#include "eviction/trend.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using std::chrono::milliseconds;
using std::chrono::seconds;

Sample sample(std::int64_t at, std::int64_t memory) {
  return {.at = steady(at), .shown_at = wall(at), .node = {.memory = memory_left(memory, at)}};
}

std::int64_t memory_of(const Sample& one) {
  return *one.node.memory->available;
}

TEST(History, keeps_the_latest_as_they_were_and_the_worst_of_what_is_older) {
  History history({{.until = seconds(3), .capacity = 9}, {.every = seconds(2), .capacity = 9}});
  for (std::int64_t at = 0; at < 8; ++at) history.add(sample(at, at == 1 ? kMi : kGi + at));
  const auto samples = history.samples();
  ASSERT_EQ(samples.size(), 6U);
  EXPECT_EQ(samples[0]->merged, 2U);
  EXPECT_EQ(memory_of(*samples[0]), kMi) << "the dip is still there";
  EXPECT_EQ(samples[0]->at, steady(1));
  EXPECT_EQ(samples[0]->node.memory->time, wall(1));
  EXPECT_EQ(samples[1]->merged, 2U);
  EXPECT_EQ(samples[2]->merged, 1U);
  EXPECT_EQ(history.newest()->at, steady(7));
}

TEST(History, is_bounded_however_long_it_lasts) {
  History history({{.until = seconds(10), .capacity = 10},
                   {.until = seconds(60), .every = seconds(5), .capacity = 10},
                   {.every = seconds(25), .capacity = 10}});
  for (std::int64_t at = 0; at < 5000; ++at) {
    history.add(sample(at, kGi));
    ASSERT_LE(history.size(), 30U);
  }
  const auto samples = history.samples();
  EXPECT_EQ(samples.front()->merged, 25U);
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    EXPECT_LT(samples[i]->at, samples[i + 1]->at);
  }
}

TEST(History, of_a_day_is_as_fine_as_promised_however_often_the_node_is_looked_at) {
  for (const std::int64_t every : {1, 2, 3, 10}) {
    History history;
    const std::int64_t now = 26 * 3600;
    for (std::int64_t at = 0; at <= now; at += every) history.add(sample(at, kGi));
    const auto samples = history.samples();
    EXPECT_LE(history.size(), 981U);
    EXPECT_LE(samples.front()->at, steady(now - 24 * 3600)) << every;
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      const Nanoseconds apart = samples[i + 1]->at - samples[i]->at;
      const Nanoseconds age = steady(now) - samples[i]->at;
      const Nanoseconds longest = age <= seconds(300)    ? seconds(every)
                                  : age <= seconds(3600) ? seconds(20)
                                                         : seconds(600);
      ASSERT_LE(apart, longest) << "looked at every " << every << " s, " << age.count();
      ASSERT_LT(apart, kHistoryHole) << "berthd was running";
    }
  }
}

TEST(History, of_a_node_that_is_looked_at_often_is_no_longer_for_that) {
  History history;
  SteadyTime at = steady(0);
  for (int i = 0; i < 2000; ++i) history.add({.at = at += milliseconds(20)});
  EXPECT_LE(history.size(), 305U) << "of forty seconds";
}

TEST(History, takes_no_sample_that_is_not_newer) {
  History history;
  history.add(sample(5, kGi));
  history.add(sample(5, kMi));
  history.add(sample(4, kMi));
  EXPECT_EQ(history.size(), 1U);
  History none(HistoryPolicy{});
  none.add(sample(1, kGi));
  EXPECT_EQ(none.newest(), nullptr);
}

TEST(History, takes_up_what_was_before_it_as_it_is) {
  History history({{.capacity = 2}, {.capacity = 3}});
  history.add(sample(100, kGi));
  history.put_before({sample(10, kMi), sample(20, kMi), sample(30, kMi), sample(40, kMi),
                      sample(100, kMi), sample(101, kMi)});
  std::vector<SteadyTime> times;
  for (const Sample* one : history.samples()) times.push_back(one->at);
  EXPECT_EQ(times, (std::vector{steady(20), steady(30), steady(40), steady(100)}))
      << "the newest that are older, as many as there is room for";
  EXPECT_EQ(memory_of(*history.newest()), kGi);
  history.add(sample(101, kGi));
  history.add(sample(102, kGi));
  EXPECT_EQ(history.samples().front()->at, steady(30)) << "the oldest makes room";
}

TEST(Merging, takes_the_pods_among_which_one_was_evicted_before_those_of_the_worst_memory) {
  const auto seen = [](const char* uid) {
    return std::make_shared<const PodsSeen>(PodsSeen{.readings = {{uid, using_memory(7)}}});
  };
  Sample worst = sample(0, kMi);
  worst.pods = seen("uid-a");
  Sample evicting = sample(1, kGi);
  evicting.pods = seen("uid-b");
  evicting.evicted = {"uid-b"};
  Sample after = sample(2, kMi);
  after.pods = seen("uid-c");
  EXPECT_EQ(merge_samples({worst, evicting, after}).pods, evicting.pods);
  evicting.evicted.clear();
  EXPECT_EQ(merge_samples({worst, evicting, after}).pods, worst.pods);
}

TEST(Merging, takes_the_worst_of_each_signal_by_itself_and_the_pods_of_the_worst_memory) {
  Sample first = sample(0, kMi);
  first.node.node_fs = disk_left(50 * kGi, 0);
  first.node.pids = PidReading{.running = 10, .max = 100, .time = wall(0)};
  first.node.own.memory_pressure = StallReading{.some_avg10 = 5, .full_avg60 = 1};
  first.node.own.io_pressure = StallReading{.some_avg300 = 1, .full_avg300 = 8};
  first.pods = std::make_shared<const PodsSeen>(PodsSeen{.readings = {{"uid-a", using_memory(7)}}});
  Sample second = sample(1, kGi);
  second.node.node_fs = disk_left(10 * kGi, 1);
  second.node.node_fs->inodes_free = 1'500'000;
  second.node.pids = PidReading{.running = 90, .max = 100, .time = wall(1)};
  second.node.own.memory_pressure = StallReading{.some_avg10 = 3, .full_avg60 = 2};
  second.node.own.io_pressure = StallReading{.some_avg300 = 4, .full_avg300 = 2, .time = wall(1)};
  second.node.own.allocatable_io_pressure = StallReading{.some_avg10 = 1};
  second.node.own.swap = AmountReading{.available = 1, .capacity = 2};

  first.evicted = {"uid-a"};
  first.after_reclaim = NodeReadings{};
  second.evicted = {"uid-b"};

  const Sample merged = merge_samples({first, second});
  const NodeReadings& node = merged.node;
  EXPECT_EQ(merged.at, steady(1));
  EXPECT_EQ(memory_of(merged), kMi);
  EXPECT_EQ(node.memory->time, wall(1));
  EXPECT_EQ(node.node_fs->available, 10 * kGi);
  EXPECT_EQ(node.node_fs->inodes_free, 1'000'000);
  EXPECT_EQ(node.pids->running, 90);
  EXPECT_EQ(node.own.memory_pressure->some_avg10, 5);
  EXPECT_EQ(node.own.memory_pressure->full_avg60, 2);
  EXPECT_EQ(node.own.io_pressure,
            (StallReading{.some_avg300 = 4, .full_avg300 = 8, .time = wall(1)}));
  EXPECT_TRUE(node.own.allocatable_io_pressure);
  EXPECT_TRUE(node.own.swap);
  EXPECT_EQ(merged.pods, first.pods);
  EXPECT_EQ(merged.evicted, (std::vector<std::string>{"uid-a", "uid-b"}));
  EXPECT_TRUE(merged.after_reclaim);
}

History falling(std::int64_t from, std::int64_t by_second, std::int64_t count) {
  History history;
  for (std::int64_t at = 0; at < count; ++at) history.add(sample(at, from - at * by_second));
  return history;
}

TEST(Trend, is_the_slope_over_the_window) {
  History history = falling(2 * kGi, 10 * kMi, 20);
  EXPECT_NEAR(slopes(history, seconds(60)).at(kMemoryAvailable), -10.0 * kMi, 1);
  history.add(sample(20, 4 * kGi));
  EXPECT_NEAR(slopes(history, seconds(1)).at(kMemoryAvailable), 2.0 * kGi + 190.0 * kMi, 1);
  EXPECT_TRUE(slopes(falling(kGi, 1, 1), seconds(60)).empty()) << "of one sample there is none";
  EXPECT_TRUE(slopes(History{}, seconds(60)).empty());
}

TEST(Trend, the_fastest_approach_is_that_of_neighbours) {
  History history = falling(2 * kGi, kMi, 5);
  history.add(sample(6, 2 * kGi - 104 * kMi));
  history.add(sample(7, 4 * kGi));
  EXPECT_NEAR(fastest_approach(history).at(kMemoryAvailable), 50.0 * kMi, 1)
      << "100Mi within two seconds; what is freed is no approach";
}

TEST(Trend, of_merged_samples_nobody_knows_how_fast_it_was) {
  History history({{.capacity = 2}, {.every = seconds(2), .capacity = 10}});
  for (const auto& [at, memory] : {std::pair<std::int64_t, std::int64_t>{0, 2 * kGi},
                                   {1, 2 * kGi},
                                   {2, kGi},
                                   {3, 2 * kGi},
                                   {4, 2 * kGi},
                                   {5, 2 * kGi}}) {
    history.add(sample(at, memory));
  }
  ASSERT_EQ(history.samples().at(1)->merged, 2U);
  ASSERT_EQ(memory_of(*history.samples().at(1)), kGi) << "less than before it";
  EXPECT_EQ(fastest_approach(history).at(kMemoryAvailable), 0);
}

// Passes 20 ms apart, each with a disk reading taken at the given second.
History of_disk(const std::vector<std::pair<std::int64_t, std::int64_t>>& read_at_and_left) {
  History history;
  SteadyTime at = steady(100);
  for (const auto& [read_at, left] : read_at_and_left)
    history.add({.at = at += milliseconds(20), .node = {.node_fs = disk_left(left, read_at)}});
  return history;
}

TEST(Trend, what_is_read_more_seldom_than_looked_at_changed_in_the_time_between_the_readings) {
  const auto history = of_disk({{0, 50 * kGi}, {0, 50 * kGi}, {10, 40 * kGi}, {10, 40 * kGi}});
  EXPECT_NEAR(fastest_approach(history).at(kNodeFsAvailable), 1.0 * kGi, 1);
}

TEST(Trend, two_looks_at_the_same_reading_teach_nothing) {
  EXPECT_TRUE(fastest_approach(of_disk({{7, 50 * kGi}, {7, 40 * kGi}})).empty());
}

TEST(Trend, readings_closer_together_than_their_looks_count_as_far_apart_as_these) {
  History history;
  history.add({.at = steady(0), .node = {.node_fs = disk_left(50 * kGi, 9)}});
  history.add({.at = steady(10), .node = {.node_fs = disk_left(40 * kGi, 10)}});
  EXPECT_NEAR(fastest_approach(history).at(kNodeFsAvailable), 1.0 * kGi, 1);
  History untimed;
  for (const std::int64_t at : {0, 10}) {
    NodeReadings node{.node_fs = disk_left((50 - at) * kGi, 0)};
    node.node_fs->time.reset();
    untimed.add({.at = steady(at), .node = node});
  }
  EXPECT_NEAR(fastest_approach(untimed).at(kNodeFsAvailable), 1.0 * kGi, 1);
}

// Passes 100 ms apart, the rate of the kernel's stall notifications.
TEST(Trend, of_averages_nothing_is_learned) {
  History history;
  for (const auto& [at, share] : {std::pair<std::int64_t, std::int64_t>{1, 0}, {2, 180'000}}) {
    const WallTime read_at = wall(0) + milliseconds(100 * at);
    history.add(
        {.at = steady(0) + milliseconds(100 * at),
         .node = {.memory = memory_left(kGi, at),
                  .own = {.memory_pressure = StallReading{.some_avg10 = share, .time = read_at}}}});
  }
  const Rates rates = fastest_approach(history);
  EXPECT_FALSE(rates.contains(kMemoryPressureSomeAvg10));
  EXPECT_TRUE(rates.contains(kMemoryAvailable));
}

JudgedThreshold judged_memory(std::int64_t available, const char* limit) {
  return judge({}, {threshold(kMemoryAvailable, limit)},
               observe({.memory = memory_left(available, 0)}), seconds(300), steady(0))
      .thresholds.front();
}

TEST(TimeToLimit, is_what_the_slope_leaves) {
  const auto judged = judged_memory(300 * kMi, "100Mi");
  EXPECT_EQ(headroom(judged), 200.0 * kMi);
  EXPECT_EQ(time_to_limit(judged, -10.0 * kMi), seconds(20));
  EXPECT_EQ(time_to_limit(judged, 10.0 * kMi), std::nullopt) << "it moves away";
  EXPECT_EQ(time_to_limit(judged, 0.0), std::nullopt);
  EXPECT_EQ(time_to_limit(judged, std::nullopt), std::nullopt);
  EXPECT_EQ(time_to_limit(judged_memory(50 * kMi, "100Mi"), std::nullopt), seconds(0));
  EXPECT_GT(time_to_limit(judged, -1e-9), std::chrono::hours(24 * 365));
}

TEST(Sampling, is_due_after_half_of_what_the_fastest_fill_needs) {
  const Rates gigabyte_a_second = {{kMemoryAvailable, static_cast<double>(kGi)}};
  struct Case {
    std::int64_t available = 0;
    Rates fastest{};
    Nanoseconds expected{};
  };
  const Case cases[] = {
      {4 * kGi, {}, seconds(10)},  // how fast it could fill is not known yet
      {100 * kMi + 2 * kGi, gigabyte_a_second, seconds(1)},
      {100 * kMi + kGi, gigabyte_a_second, milliseconds(500)},
      {100 * kMi + kMi, gigabyte_a_second, milliseconds(20)},  // never sooner than that
      {100 * kMi, gigabyte_a_second, milliseconds(20)},
      {100 * kMi - 1, gigabyte_a_second, seconds(1)},  // the threshold is met already
      {4 * kGi, {{kMemoryAvailable, 1.0}}, seconds(10)},
      {4 * kGi, {{kMemoryAvailable, 0.0}}, seconds(10)},
      {4 * kGi, {{kPidAvailable, 1e9}}, seconds(10)},
  };
  for (const Case& one : cases) {
    const auto decision = sampling_interval({judged_memory(one.available, "100Mi")}, one.fastest);
    EXPECT_EQ(decision.interval, one.expected) << one.available;
    EXPECT_EQ(decision.decided_by.has_value(), one.expected < seconds(10));
  }
}

JudgedThreshold judged_disk(std::int64_t available) {
  return judge({}, {threshold(kNodeFsAvailable, "10Gi")},
               observe({.node_fs = disk_left(available, 0)}), seconds(300), steady(0))
      .thresholds.front();
}

// Disk fills by a gigabyte a second, and its limit is one gigabyte.
Nanoseconds interval_with_disk(std::int64_t available) {
  const NodeReadings readings{.node_fs =
                                  FileSystemReading{.available = available, .capacity = 100 * kGi}};
  const auto judged =
      judge({}, {threshold(kNodeFsAvailable, "1Gi")}, observe(readings), seconds(300), steady(0));
  const Rates fastest = {{kNodeFsAvailable, static_cast<double>(kGi)}};
  return sampling_interval(judged.thresholds, fastest).interval;
}

TEST(Sampling, looks_at_what_fills_slower_than_memory_less_often_at_the_most) {
  EXPECT_EQ(interval_with_disk(kGi), milliseconds(150));
}

JudgedThreshold judged_stall(Signal signal, std::int64_t percent, float limit) {
  constexpr std::int64_t kPercent = 10'000;
  const StallReading reading{.some_avg10 = percent * kPercent, .some_avg60 = percent * kPercent};
  return judge({}, {{.signal = signal, .value = Share{limit}}},
               observe({.own = {.memory_pressure = reading, .io_pressure = reading}}), seconds(300),
               steady(0))
      .thresholds.front();
}

TEST(Sampling, of_an_average_is_due_after_half_of_the_time_that_it_needs_if_all_is_stalled) {
  struct Case {
    Signal signal{};
    std::int64_t percent = 0;
    Nanoseconds expected{};
  };
  const Case cases[] = {
      {kMemoryPressureSomeAvg10, 0, milliseconds(2500)},
      {kMemoryPressureSomeAvg10, 40, milliseconds(500)},
      {kIoPressureSomeAvg10, 40, milliseconds(500)},
      {kMemoryPressureSomeAvg60, 40, seconds(3)},
      {kMemoryPressureSomeAvg60, 0, seconds(10)},
      {kMemoryPressureSomeAvg10, 50, milliseconds(150)},  // although it is about memory
      {kMemoryPressureSomeAvg10, 51, seconds(1)},         // the threshold is met already
  };
  const Rates once_learned = {{kMemoryPressureSomeAvg10, 1.8e6}, {kMemoryPressureSomeAvg60, 1.8e6}};
  for (const Case& one : cases) {
    const auto judged = std::vector{judged_stall(one.signal, one.percent, 0.5F)};
    EXPECT_EQ(sampling_interval(judged, {}).interval, one.expected) << one.percent;
    EXPECT_EQ(sampling_interval(judged, once_learned).interval, one.expected) << one.percent;
  }
}

TEST(Sampling, looks_at_a_file_system_when_its_limit_could_be_reached) {
  EXPECT_EQ(interval_with_disk(4 * kGi), seconds(3));
  EXPECT_EQ(interval_with_disk(64 * kGi), seconds(10));
}

TEST(Sampling, lets_glances_stand_for_looks_while_only_memory_could_run_short_soon) {
  const auto suffices_for = [](const NodeReadings& readings, std::vector<Threshold> thresholds) {
    const auto judged = judge({}, thresholds, observe(readings), seconds(300), steady(0));
    const Rates fastest = {{kMemoryAvailable, static_cast<double>(kGi)},
                           {kAllocatableMemoryAvailable, static_cast<double>(kGi)},
                           {kMemoryAvailableWithCache, static_cast<double>(kGi)},
                           {kPidAvailable, 1000.0}};
    return glances_suffice_for(judged.thresholds, fastest);
  };
  const Threshold memory = threshold(kMemoryAvailable, "1Gi");
  const Threshold of_pods = threshold(kAllocatableMemoryAvailable, "1Gi");
  const Threshold with_cache = threshold(kMemoryAvailableWithCache, "1Gi");
  const Threshold pids = threshold(kPidAvailable, "1000");
  NodeReadings readings{.memory = memory_left(5 * kGi, 0),
                        .allocatable_memory = memory_left(7 * kGi, 0),
                        .pids = PidReading{.running = 1000, .max = 10'000}};
  readings.own.memory_with_cache = AmountReading{.available = 6 * kGi, .capacity = 8 * kGi};
  EXPECT_EQ(suffices_for(readings, {memory}), seconds(10));
  EXPECT_EQ(suffices_for(readings, {memory, with_cache}), seconds(10));
  EXPECT_EQ(suffices_for(readings, {memory, of_pods}), seconds(6)) << "all that it needs";
  EXPECT_EQ(suffices_for(readings, {memory, pids}), seconds(4)) << "half of what it needs";
  readings.memory = memory_left(3 * kGi, 0);
  EXPECT_EQ(suffices_for(readings, {memory}), seconds(1)) << "it is near: a look is due by then";
  readings.memory = memory_left(kMi, 0);
  EXPECT_EQ(suffices_for(readings, {memory}), seconds(1)) << "it is met";
}

TEST(Sampling, takes_a_glance_for_enough_while_no_limit_of_memory_comes_nearer_by_a_tenth) {
  const std::vector left_1000 = {judged_memory(100 * kMi + 1000, "100Mi")};
  EXPECT_TRUE(glance_suffices(left_1000, -5000));
  EXPECT_TRUE(glance_suffices(left_1000, 100));
  EXPECT_FALSE(glance_suffices(left_1000, 101));
  EXPECT_FALSE(glance_suffices({judged_memory(kGi, "100Mi"), left_1000[0]}, 101));
  EXPECT_TRUE(glance_suffices({judged_disk(90 * kGi)}, 9000 * kGi)) << "no limit of memory";
  const auto of_pods = judge({}, {threshold(kAllocatableMemoryAvailable, "100Mi")},
                             observe({.allocatable_memory = memory_left(100 * kMi + 1000, 0)}),
                             seconds(300), steady(0));
  EXPECT_FALSE(glance_suffices(of_pods.thresholds, 101)) << "pods may have taken it";
}

TEST(Sampling, learns_from_glances_how_fast_memory_can_go) {
  Rates fastest = {
      {kMemoryAvailable, 50.0}, {kAllocatableMemoryAvailable, 200.0}, {kNodeFsAvailable, 1.0}};
  learn_from_glance(fastest, 300, seconds(2));
  EXPECT_EQ(fastest, (Rates{{kMemoryAvailable, 150.0},
                            {kAllocatableMemoryAvailable, 200.0},
                            {kNodeFsAvailable, 1.0}}));
  learn_from_glance(fastest, 300, seconds(0));
  learn_from_glance(fastest, -9000, seconds(1));
  EXPECT_EQ(fastest.at(kMemoryAvailable), 150.0);
}

TEST(Sampling, measures_a_file_system_in_its_own_time_however_often_memory_is_looked_at) {
  const auto due = [](std::int64_t available, std::int64_t age) {
    NodeReadings readings{.node_fs = FileSystemReading{
                              .available = available, .capacity = 100 * kGi, .time = wall(100)}};
    readings.memory = memory_left(kGi, 100 + age);
    const auto judged =
        judge({}, {threshold(kMemoryAvailable, "900Mi"), threshold(kNodeFsAvailable, "1Gi")},
              observe(readings), seconds(300), steady(0));
    const Rates fastest = {{kNodeFsAvailable, static_cast<double>(kGi)},
                           {kMemoryAvailable, static_cast<double>(kGi)}};
    return file_system_is_due(judged.thresholds, fastest, wall(100 + age));
  };
  EXPECT_FALSE(due(4 * kGi, 2)) << "three seconds are the least that it needs";
  EXPECT_TRUE(due(4 * kGi, 3));
  EXPECT_TRUE(due(kMi, 1)) << "it is exceeded";
  EXPECT_FALSE(due(64 * kGi, 60)) << "that one is measured every ten seconds in any case";
}

TEST(Sampling, goes_by_the_most_urgent_threshold) {
  const Rates fastest = {{kMemoryAvailable, static_cast<double>(kGi)}};
  const auto decision =
      sampling_interval({judged_memory(4 * kGi, "100Mi"), judged_memory(4 * kGi, "2Gi")}, fastest);
  EXPECT_EQ(decision.interval, seconds(1));
  EXPECT_EQ(decision.decided_by, threshold(kMemoryAvailable, "2Gi"));
}

// Every signal within a gigabyte or two of its limit is near.
const Rates kGigabyteASecond = {{kMemoryAvailable, static_cast<double>(kGi)},
                                {kNodeFsAvailable, static_cast<double>(kGi)}};

TEST(Sampling, calls_it_nearer_when_a_quarter_of_the_distance_is_gone) {
  const auto left = [](std::int64_t distance) {
    return std::vector{judged_memory(100 * kMi + distance, "100Mi"),
                       judged_memory(64 * kGi, "2Gi")};
  };
  EXPECT_FALSE(came_nearer(left(4000), left(4000), kGigabyteASecond));
  EXPECT_FALSE(came_nearer(left(4000), left(3000), kGigabyteASecond));
  EXPECT_TRUE(came_nearer(left(4000), left(2999), kGigabyteASecond));
  EXPECT_FALSE(came_nearer(left(4000), left(9000), kGigabyteASecond));
}

TEST(Sampling, calls_nothing_nearer_that_is_still_far) {
  struct Case {
    const char* what = "";
    JudgedThreshold then{};
    JudgedThreshold now{};
    bool nearer = false;
  };
  const Case cases[] = {
      {"stalls that come and go", judged_stall(kMemoryPressureSomeAvg10, 0, 0.3F),
       judged_stall(kMemoryPressureSomeAvg10, 10, 0.3F), false},
      {"stalls that grow", judged_stall(kMemoryPressureSomeAvg10, 0, 0.3F),
       judged_stall(kMemoryPressureSomeAvg10, 11, 0.3F), true},
      {"a disk that fills", judged_disk(90 * kGi), judged_disk(12 * kGi), false},
      {"a disk that is nearly full", judged_disk(90 * kGi), judged_disk(11 * kGi - kMi), true},
      {"memory that is plenty", judged_memory(64 * kGi, "2Gi"), judged_memory(4 * kGi, "2Gi"),
       false},
      {"memory that could be used up soon", judged_memory(64 * kGi, "2Gi"),
       judged_memory(4 * kGi - kMi, "2Gi"), true},
      {"what is met", judged_memory(64 * kGi, "2Gi"), judged_memory(kGi, "2Gi"), false},
  };
  const JudgedThreshold near = judged_memory(kGi, "100Mi");
  for (const Case& one : cases) {
    EXPECT_EQ(came_nearer({near, one.then}, {near, one.now}, kGigabyteASecond), one.nearer)
        << one.what;
  }
}

TEST(Sampling, takes_what_cannot_be_compared_for_nearer) {
  const JudgedThreshold known = judged_memory(kGi, "100Mi");
  JudgedThreshold unknown = known;
  unknown.observation.reset();
  EXPECT_TRUE(came_nearer({}, {known}, kGigabyteASecond));
  EXPECT_TRUE(came_nearer({judged_memory(kGi, "200Mi")}, {known}, kGigabyteASecond));
  EXPECT_TRUE(came_nearer({unknown}, {known}, kGigabyteASecond));
  EXPECT_FALSE(came_nearer({known}, {unknown}, kGigabyteASecond)) << "nothing says that it did";
  EXPECT_FALSE(came_nearer({judged_disk(90 * kGi), known}, {known}, kGigabyteASecond))
      << "others before it do not matter";
}

}  // namespace
}  // namespace berth::eviction
