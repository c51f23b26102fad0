// SPDX-License-Identifier: Apache-2.0

// What other thresholds would have done, and the node's state.
#include "eviction/simulate.hpp"

#include <gtest/gtest.h>

#include "eviction/explain.hpp"
#include "eviction/without_pods.hpp"
#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum SimulatedKind;
using std::chrono::seconds;

using Pods = std::vector<std::shared_ptr<const api::Pod>>;

Pods two_pods() {
  return {std::make_shared<const api::Pod>(make_pod({.name = "a"})),
          std::make_shared<const api::Pod>(make_pod({.name = "b"}))};
}

Sample sample(std::int64_t at, std::int64_t memory, const Pods& pods, std::int64_t used_by_a) {
  return {.at = steady(at),
          .shown_at = wall(1000 + at),
          .node = {.memory = memory_left(memory, at)},
          .pods = std::make_shared<const PodsSeen>(PodsSeen{
              .pods = pods,
              .readings = {{"uid-a", using_memory(used_by_a)}, {"uid-b", using_memory(kMi)}}})};
}

std::vector<SimulatedKind> kinds(const Simulation& simulation) {
  std::vector<SimulatedKind> out;
  out.reserve(simulation.events.size());
  for (const SimulatedEvent& event : simulation.events) out.push_back(event.kind);
  return out;
}

const EvictionConfig kOneGigabyte{.thresholds = {threshold(kMemoryAvailable, "1Gi")},
                                  .pressure_transition_period = seconds(60),
                                  .rules = kRules};

TEST(Simulation, says_when_a_threshold_would_have_been_met_and_who_would_have_gone) {
  const Pods pods = two_pods();
  History history;
  history.add(sample(0, 2 * kGi, pods, kGi));
  history.add(sample(10, 500 * kMi, pods, 3 * kGi));
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation), (std::vector{kConditionAppeared, kThresholdMet, kEviction}));
  const SimulatedEvent& eviction = simulation.events.back();
  EXPECT_EQ(eviction.at, wall(1010));
  EXPECT_EQ(eviction.certainty, Certainty::kAsMeasured) << "the first is no guess";
  ASSERT_TRUE(eviction.victim);
  EXPECT_EQ(eviction.victim->pod.name, "a");
  EXPECT_EQ(eviction.victim->ahead_by, RankingKey::kConsumption);
  EXPECT_NE(eviction.victim->message.find("Threshold quantity: 1Gi, available: 500Mi"),
            std::string::npos);
  EXPECT_EQ(simulation.samples, 2U);
  EXPECT_EQ(simulation.from, wall(1000));
  EXPECT_EQ(simulation.until, wall(1010));
}

TEST(Simulation, is_a_guess_after_the_first_eviction_which_gives_back_what_the_pod_used) {
  const Pods pods = two_pods();
  History history;
  history.add(sample(0, 500 * kMi, pods, 3 * kGi));
  history.add(sample(10, 500 * kMi, pods, 3 * kGi));
  history.add(sample(80, 500 * kMi, pods, 3 * kGi));
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation), (std::vector{kConditionAppeared, kThresholdMet, kEviction,
                                            kThresholdResolved, kConditionCleared}))
      << "nobody else has to go: what the evicted one used is available";
  EXPECT_EQ(simulation.events[2].certainty, Certainty::kAsMeasured);
  EXPECT_EQ(simulation.events[3].certainty, Certainty::kAfterDeviation);
}

TEST(Simulation, of_what_was_done_in_truth_stays_certain) {
  const Pods pods = two_pods();
  History history;
  Sample first = sample(0, 500 * kMi, pods, 3 * kGi);
  first.evicted = {"uid-a"};
  history.add(std::move(first));
  history.add(sample(10, 2 * kGi, {pods[1]}, 0));
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation),
            (std::vector{kConditionAppeared, kThresholdMet, kEviction, kThresholdResolved}));
  EXPECT_EQ(simulation.events.back().certainty, Certainty::kAsMeasured);
}

TEST(Simulation, is_a_guess_once_somebody_went_in_truth_who_would_have_stayed) {
  const Pods pods = two_pods();
  History history;
  Sample first = sample(0, 2 * kGi, pods, kMi);
  first.evicted = {"uid-b"};
  history.add(std::move(first));
  history.add(sample(10, 500 * kMi, pods, kMi));
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  ASSERT_FALSE(simulation.events.empty());
  EXPECT_EQ(simulation.events.front().certainty, Certainty::kAfterDeviation);
}

TEST(Simulation, of_a_reclaim_that_happened_in_truth_takes_what_was_measured_after_it) {
  const Pods pods = two_pods();
  History history;
  Sample one = sample(0, kGi, pods, kMi);
  one.node.node_fs = disk_left(kGi, 0);
  one.after_reclaim = one.node;
  one.after_reclaim->node_fs = disk_left(20 * kGi, 0);
  history.add(std::move(one));
  const EvictionConfig config{.thresholds = {threshold(kNodeFsAvailable, "10Gi")}, .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation), (std::vector{kConditionAppeared, kThresholdMet, kReclaim}));
  EXPECT_EQ(simulation.events.back().certainty, Certainty::kAsMeasured);
}

TEST(Simulation, a_reclaim_that_takes_long_in_truth_holds_the_disk_here_as_well) {
  const Pods pods = two_pods();
  const auto at = [&](std::int64_t second, std::int64_t left, bool reclaiming) {
    Sample one = sample(second, kGi, pods, kMi);
    one.node.node_fs = disk_left(left, second);
    one.reclaiming = reclaiming;
    return one;
  };
  History history;
  history.add(at(0, kGi, true));
  history.add(at(30, kGi, true));
  Sample last = at(60, 20 * kGi, false);
  last.after_reclaim = last.node;
  history.add(std::move(last));
  history.add(at(70, kGi, false));
  const EvictionConfig config{.thresholds = {threshold(kNodeFsAvailable, "10Gi")}, .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation),
            (std::vector{kConditionAppeared, kThresholdMet, kReclaim, kThresholdResolved,
                         kThresholdMet, kReclaim, kEviction}))
      << "the second one did not happen in truth";
  EXPECT_EQ(simulation.events[4].certainty, Certainty::kAsMeasured);
  EXPECT_EQ(simulation.events.back().certainty, Certainty::kAfterDeviation);
}

TEST(Simulation, after_a_reclaim_in_truth_the_disk_of_pods_gone_only_here_is_available) {
  const Pods pods = two_pods();
  const auto disk_sample = [&](std::int64_t at, std::int64_t left_after_reclaim) {
    Sample one = sample(at, kGi, {}, 0);
    one.node.node_fs = disk_left(5 * kGi, at);
    one.pods = std::make_shared<const PodsSeen>(
        PodsSeen{.pods = pods,
                 .readings = {{"uid-a", using_disk(4 * kGi, 0)}, {"uid-b", using_disk(kGi, 0)}}});
    one.after_reclaim = one.node;
    one.after_reclaim->node_fs = disk_left(left_after_reclaim, at);
    return one;
  };
  History history;
  history.add(disk_sample(0, 5 * kGi));
  history.add(disk_sample(5, 5 * kGi));  // the first pod is gone, and its disk may not be free yet
  history.add(disk_sample(15, 7 * kGi));
  const EvictionConfig config{.thresholds = {threshold(kNodeFsAvailable, "10Gi")}, .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation),
            (std::vector{kConditionAppeared, kThresholdMet, kReclaim, kEviction, kReclaim}))
      << "seven and the four that the first one used suffice: the second one stays";
}

TEST(Simulation, an_average_evicts_nobody_while_it_contains_what_the_last_victim_did) {
  const Pods pods = two_pods();
  History history;
  for (const std::int64_t at : {0, 8, 12, 19}) {
    Sample stalled = sample(at, 2 * kGi, pods, kGi);
    stalled.node.own.memory_pressure = StallReading{.full_avg10 = 200'000, .time = wall(at)};
    history.add(std::move(stalled));
  }
  const EvictionConfig config{
      .thresholds = {{.signal = Signal::kMemoryPressureFullAvg10, .value = Share{0.1F}}},
      .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  std::vector<WallTime> evictions;
  for (const SimulatedEvent& event : simulation.events)
    if (event.kind == kEviction) evictions.push_back(event.at);
  // The first victim was gone by the time of the second sample.
  EXPECT_EQ(evictions, (std::vector{wall(1000), wall(1019)}));
}

TEST(Simulation, of_other_thresholds_may_be_that_nothing_happens) {
  const Pods pods = two_pods();
  History history;
  history.add(sample(0, 500 * kMi, pods, 3 * kGi));
  const EvictionConfig config{.thresholds = {threshold(kMemoryAvailable, "100Mi")},
                              .rules = kRules};
  EXPECT_TRUE(simulate(history, config, FileSystemLayout::kSingle).events.empty());
  EXPECT_TRUE(simulate(History{}, kOneGigabyte, FileSystemLayout::kSingle).events.empty());
}

TEST(Simulation, says_that_it_went_by_merged_samples) {
  const Pods pods = two_pods();
  History history({{.capacity = 1}, {.every = std::chrono::seconds(2), .capacity = 10}});
  for (std::int64_t at = 0; at < 4; ++at) history.add(sample(at, 500 * kMi, pods, kMi));
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  ASSERT_FALSE(simulation.events.empty());
  EXPECT_EQ(simulation.events.front().certainty, Certainty::kMergedSamples);
}

TEST(Simulation, of_short_disk_reclaims_on_the_node_and_takes_that_to_gain_nothing) {
  const Pods pods = two_pods();
  History history;
  Sample one = sample(0, kGi, pods, kMi);
  one.node.node_fs = disk_left(kGi, 0);
  history.add(std::move(one));
  const EvictionConfig config{.thresholds = {threshold(kNodeFsAvailable, "10Gi")}, .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation),
            (std::vector{kConditionAppeared, kThresholdMet, kReclaim, kEviction}));
  EXPECT_EQ(simulation.events[2].certainty, Certainty::kAsMeasured);
  EXPECT_EQ(simulation.events[3].certainty, Certainty::kAfterDeviation);
}

TEST(Simulation, says_once_that_nobody_could_have_been_evicted) {
  const Pods pods = {
      std::make_shared<const api::Pod>(make_pod({.name = "a", .priority = 2'000'000'000}))};
  History history;
  for (std::int64_t at = 0; at < 3; ++at) history.add(sample(at, 500 * kMi, pods, kMi));
  EXPECT_EQ(kinds(simulate(history, kOneGigabyte, FileSystemLayout::kSingle)),
            (std::vector{kConditionAppeared, kThresholdMet, kNobodyEvictable}));
}

TEST(Simulation, evicts_for_limits_of_local_storage_too) {
  api::Pod pod = make_pod({.name = "a"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Mi");
  const Pods pods = {std::make_shared<const api::Pod>(pod)};
  History history;
  Sample one = sample(0, 2 * kGi, {}, kMi);
  one.pods = std::make_shared<const PodsSeen>(
      PodsSeen{.pods = pods, .readings = {{"uid-a", {.ephemeral_storage = kGi}}}});
  history.add(std::move(one));
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation), (std::vector{kEviction}));
  EXPECT_FALSE(simulation.events[0].threshold);
}

TEST(Simulation, who_really_went_for_a_limit_goes_once_while_the_pods_are_not_measured_again) {
  api::Pod pod = make_pod({.name = "a"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Mi");
  const auto seen = std::make_shared<const PodsSeen>(
      PodsSeen{.pods = {std::make_shared<const api::Pod>(pod)},
               .readings = {{"uid-a", {.ephemeral_storage = kGi}}}});
  History history;
  for (const std::int64_t at : {0, 3, 6}) {
    Sample one = sample(at, at < 6 ? 2 * kGi : 500 * kMi, {}, kMi);
    one.pods = seen;
    if (at == 0) one.evicted = {"uid-a"};
    history.add(std::move(one));
  }
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  EXPECT_EQ(kinds(simulation), (std::vector{kEviction, kConditionAppeared, kThresholdMet}));
  EXPECT_EQ(simulation.events.back().certainty, Certainty::kAsMeasured);
}

TEST(Simulation, who_really_went_neither_goes_again_nor_gives_back_twice) {
  const Pods pods = two_pods();
  History history;
  Sample first = sample(0, 500 * kMi, pods, 3 * kGi);
  first.evicted = {"uid-a"};
  const auto seen = first.pods;
  history.add(std::move(first));
  Sample second = sample(10, 900 * kMi, pods, 3 * kGi);  // other pods took the memory that it left
  second.pods = seen;
  history.add(std::move(second));
  history.add(sample(20, 900 * kMi, pods, 3 * kGi));  // another incarnation with that uid
  const Simulation simulation = simulate(history, kOneGigabyte, FileSystemLayout::kSingle);
  std::vector<std::string> went;
  for (const SimulatedEvent& event : simulation.events)
    if (event.victim) went.push_back(event.victim->pod.name);
  EXPECT_EQ(went, (std::vector<std::string>{"a", "b", "a"}));
}

TEST(Simulation, grace_periods_begin_anew_after_a_gap_in_which_berthd_did_not_run) {
  const Pods pods = two_pods();
  constexpr std::int64_t kFourHours = 4 * 3600;
  History history;
  for (const std::int64_t at :
       {std::int64_t{0}, kFourHours, kFourHours + 600, kFourHours + 1200, kFourHours + 1800})
    history.add(sample(at, 500 * kMi, pods, 3 * kGi));
  const EvictionConfig config{.thresholds = {threshold(kMemoryAvailable, "1Gi", seconds(1800))},
                              .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  ASSERT_EQ(kinds(simulation),
            (std::vector{kConditionAppeared, kThresholdMet, kThresholdMet, kEviction}));
  EXPECT_EQ(simulation.events[2].at, wall(1000 + kFourHours));
  EXPECT_EQ(simulation.events[3].at, wall(1000 + kFourHours + 1800));
}

TEST(Simulation, a_condition_does_not_outlast_a_gap_in_which_berthd_did_not_run) {
  const Pods pods = two_pods();
  History history;
  history.add(sample(0, 500 * kMi, pods, 3 * kGi));
  history.add(sample(3600, 2 * kGi, pods, kGi));
  const EvictionConfig config{.thresholds = {threshold(kMemoryAvailable, "1Gi", seconds(90))},
                              .pressure_transition_period = seconds(2 * 3600),
                              .rules = kRules};
  EXPECT_EQ(
      kinds(simulate(history, config, FileSystemLayout::kSingle)),
      (std::vector{kConditionAppeared, kThresholdMet, kConditionCleared, kThresholdResolved}));
}

TEST(Simulation, names_a_threshold_of_the_containers_file_system_by_that_of_the_nodes) {
  History history;
  for (const std::int64_t at : {0, 10}) {
    Sample one = sample(at, 2 * kGi, {}, kMi);
    one.node.node_fs = disk_left(kGi, at);
    one.node.container_fs = one.node.node_fs;
    history.add(std::move(one));
  }
  const EvictionConfig config{.thresholds = {threshold(kNodeFsAvailable, "10Gi", seconds(600))},
                              .rules = kRules};
  const Simulation simulation = simulate(history, config, FileSystemLayout::kSingle);
  ASSERT_EQ(kinds(simulation), (std::vector{kConditionAppeared, kThresholdMet}));
  EXPECT_EQ(simulation.events[1].threshold->threshold.signal, kNodeFsAvailable);
}

TEST(WithoutPods, what_they_used_is_available_and_no_more_than_there_is) {
  const api::Pod pod = make_pod({.name = "a"});
  PodReading reading = using_disk(3 * kGi, 2 * kGi, 40);
  reading.memory = UsedMemory{.working_set = kGi};
  reading.processes = 30;
  const Readings before{.node = {.memory = memory_left(500 * kMi, 0),
                                 .node_fs = disk_left(50 * kGi, 0),
                                 .image_fs = disk_left(99 * kGi, 0),
                                 .pids = PidReading{.running = 100, .max = 1000},
                                 .own = {.swap = AmountReading{.available = 1, .capacity = 2}}},
                        .pods = {{"uid-a", reading}, {"uid-b", using_memory(kMi)}}};
  const Readings after = without_pods(before, {&pod}, FileSystemLayout::kDedicatedImageFs);
  EXPECT_EQ(after.node.memory->available, 500 * kMi + kGi);
  EXPECT_EQ(after.node.memory->working_set, 3 * kGi - 500 * kMi);
  EXPECT_EQ(after.node.node_fs->available, 52 * kGi) << "its logs";
  EXPECT_EQ(after.node.image_fs->available, 100 * kGi) << "its writable layer, as far as it fits";
  EXPECT_EQ(after.node.image_fs->inodes_free, 1'000'040);
  EXPECT_EQ(after.node.pids->running, 70);
  EXPECT_EQ(after.node.own.swap->available, 1);
  EXPECT_FALSE(after.pods.contains("uid-a"));
  EXPECT_TRUE(after.pods.contains("uid-b"));
}

TEST(WithoutPods, of_more_than_the_limit_in_use_that_goes_first) {
  const api::Pod pod = make_pod({.name = "a"});
  const Readings before{
      .node = {.memory = MemoryReading{.available = 0, .working_set = 5 * kGi, .limit = 4 * kGi}},
      .pods = {{"uid-a", using_memory(2 * kGi)}}};
  const Readings after = without_pods(before, {&pod}, FileSystemLayout::kSingle);
  EXPECT_EQ(after.node.memory->available, kGi);
  EXPECT_EQ(after.node.memory->working_set, 3 * kGi);
}

struct Explained {
  std::vector<api::Pod> pods{};
  Explanation explanation{};
};

Explained explained(const EvictionConfig& config, const EvictionState& state,
                    std::int64_t memory_now, std::int64_t by_second) {
  Explained out{
      .pods = {make_pod({.name = "a"}), make_pod({.name = "system", .priority = 2'000'000'000})}};
  History history;
  for (std::int64_t at = 0; at <= 10; ++at) {
    history.add(sample(at, memory_now + (10 - at) * by_second, {}, kMi));
  }
  const Readings readings{
      .node = {.memory = memory_left(memory_now, 10)},
      .pods = {{"uid-a", using_memory(kMi)}, {"uid-system", using_memory(kGi)}}};
  out.explanation = explain(config, state,
                            {.readings = &readings,
                             .layout = FileSystemLayout::kSingle,
                             .pods = pointers(out.pods),
                             .now = steady(10)},
                            history);
  return out;
}

TEST(Explanation, states_headroom_slope_and_when_something_would_be_done) {
  const EvictionConfig config{.thresholds = {threshold(kMemoryAvailable, "100Mi"),
                                             threshold(kMemoryAvailable, "300Mi", seconds(90)),
                                             threshold(kNodeFsAvailable, "1Gi")},
                              .rules = kRules};
  const auto [pods, explanation] = explained(config, {}, 500 * kMi, 10 * kMi);
  EXPECT_EQ(explanation.verdict, CycleVerdict::kNothingMet);
  ASSERT_EQ(explanation.signals.size(), 2U);
  const SignalOutlook& memory = explanation.signals[0];
  EXPECT_EQ(memory.signal, kMemoryAvailable);
  EXPECT_NEAR(*memory.slope, -10.0 * kMi, 1);
  ASSERT_EQ(memory.thresholds.size(), 2U);
  EXPECT_EQ(memory.thresholds[0].headroom, 400.0 * kMi);
  EXPECT_NEAR(std::chrono::duration<double>(*memory.thresholds[0].until_met).count(), 40, 0.001);
  EXPECT_NEAR(std::chrono::duration<double>(*memory.thresholds[1].until_action).count(), 20 + 90,
              0.001);
  EXPECT_NEAR(std::chrono::duration<double>(*explanation.until_action).count(), 40, 0.001);
  const SignalOutlook& disk = explanation.signals[1];
  EXPECT_FALSE(disk.observation);
  EXPECT_FALSE(disk.thresholds[0].until_action);
}

TEST(Explanation, ranks_all_pods_and_names_who_would_go_next_and_who_is_exempt) {
  const EvictionConfig config{.thresholds = {threshold(kMemoryAvailable, "100Mi")},
                              .rules = kRules};
  const auto [pods, explanation] = explained(config, {}, 500 * kMi, 0);
  const SignalRanking& ranking = explanation.rankings.at(0);
  ASSERT_EQ(ranking.ranking.size(), 2U);
  ASSERT_TRUE(ranking.next_victim);
  EXPECT_EQ(ranking.ranking[*ranking.next_victim].pod.name, "a");
  EXPECT_EQ(ranking.ranking[1].exempt, Exemption::kSystemPriority);
  EXPECT_FALSE(explanation.until_action) << "it does not move";
}

TEST(Explanation, says_how_long_a_condition_stays_and_what_is_left_of_a_grace_period) {
  const EvictionConfig config{.thresholds = {threshold(kMemoryAvailable, "300Mi", seconds(90))},
                              .rules = kRules};
  const Readings before{.node = {.memory = memory_left(200 * kMi, 0)}};
  const auto state =
      decide_cycle(config, {},
                   {.readings = &before, .layout = FileSystemLayout::kSingle, .now = steady(0)})
          .state;
  const auto [pods, still] = explained(config, state, 200 * kMi, 0);
  EXPECT_EQ(still.verdict, CycleVerdict::kWaiting);
  EXPECT_EQ(still.until_action, seconds(80));
  const auto [same_pods, over] = explained(config, state, 500 * kMi, 0);
  EXPECT_TRUE(over.conditions[0].present);
  EXPECT_EQ(over.conditions[0].until_cleared, seconds(290));
  EXPECT_FALSE(over.conditions[1].present);
  EXPECT_FALSE(over.conditions[1].until_cleared);
}

}  // namespace
}  // namespace berth::eviction
