// SPDX-License-Identifier: Apache-2.0

// One pass after another: what is decided, and which cause has precedence.
#include "eviction/cycle.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::eviction {
namespace {

using enum Signal;
using enum CycleVerdict;
using std::chrono::seconds;

class Node {
 public:
  explicit Node(EvictionConfig config) : config_(std::move(config)) {}

  void add(api::Pod pod, std::optional<PodReading> reading) {
    if (reading) readings_.pods[pod.metadata.uid] = *reading;
    pods_.push_back(std::move(pod));
  }
  CycleDecision look(const NodeReadings& node, std::int64_t at) {
    readings_.node = node;
    return decide(&readings_, at);
  }
  CycleDecision look_in_vain(std::int64_t at) { return decide(nullptr, at); }
  CycleDecision after_reclaim(CycleDecision decision, const NodeReadings* after, std::int64_t at) {
    return decide_after_reclaim(config_, std::move(decision), input(&readings_, at), after);
  }
  // Records that nothing is left of a pod that was evicted for disk.
  void gone_for_disk(std::int64_t at) { state_.pressure.last_gone_for_disk = steady(at); }
  void set_layout(std::optional<FileSystemLayout> layout) { layout_ = layout; }
  [[nodiscard]] const EvictionState& state() const { return state_; }

 private:
  [[nodiscard]] CycleInput input(const Readings* readings, std::int64_t at) const {
    return {.readings = readings, .layout = layout_, .pods = pointers(pods_), .now = steady(at)};
  }
  CycleDecision decide(const Readings* readings, std::int64_t at) {
    CycleDecision decision = decide_cycle(config_, state_, input(readings, at));
    state_ = decision.state;
    return decision;
  }

  EvictionConfig config_;
  std::vector<api::Pod> pods_{};
  Readings readings_{};
  std::optional<FileSystemLayout> layout_ = FileSystemLayout::kSingle;
  EvictionState state_{};
};

NodeReadings with_memory(std::int64_t available, std::int64_t at) {
  return {.memory = memory_left(available, at)};
}
NodeReadings with_disk(std::int64_t available, std::int64_t at) {
  return {.node_fs = disk_left(available, at)};
}

Node short_of_memory() {
  Node node({.thresholds = {threshold(kMemoryAvailable, "100Mi")}, .rules = kRules});
  node.add(make_pod({.name = "asks", .memory_request = "1Gi"}), using_memory(900 * kMi));
  node.add(make_pod({.name = "asks-nothing"}), using_memory(10 * kMi));
  return node;
}

TEST(Cycle, whoever_exceeds_the_request_goes_though_another_uses_far_more) {
  Node node = short_of_memory();
  EXPECT_EQ(node.look(with_memory(kGi, 0), 0).verdict, kNothingMet);
  const CycleDecision decision = node.look(with_memory(97 * kMi, 10), 10);
  EXPECT_EQ(decision.verdict, kEvict);
  ASSERT_EQ(decision.evictions.size(), 1U) << "one pod at most";
  EXPECT_EQ(decision.evictions[0].pod.name, "asks-nothing");
  EXPECT_EQ(decision.attempted, StarvedResource::kMemory);
  EXPECT_EQ(attempt_message(*decision.attempted), "Attempting to reclaim memory");
  ASSERT_EQ(decision.ranking.size(), 2U);
  EXPECT_EQ(decision.ranking[0].ahead_by, RankingKey::kExceedsRequest);
  const auto& cause = std::get<JudgedThreshold>(decision.evictions[0].cause);
  EXPECT_EQ(to_string(cause.threshold), "memory.available<100Mi");
  EXPECT_EQ(cause.observation->value.value(), 97 * kMi);
}

TEST(Cycle, the_same_sample_evicts_once) {
  Node node = short_of_memory();
  EXPECT_EQ(node.look(with_memory(97 * kMi, 0), 0).verdict, kEvict);
  EXPECT_EQ(node.look(with_memory(97 * kMi, 0), 10).verdict, kWaiting);
  EXPECT_EQ(node.look(with_memory(97 * kMi, 20), 20).verdict, kEvict);
}

TEST(Cycle, a_minimum_reclaim_sends_the_next_pod_at_the_next_look) {
  Node node({.thresholds = {with_reclaim(threshold(kMemoryAvailable, "100Mi"), "50Mi")},
             .rules = kRules});
  node.add(make_pod({.name = "a"}), using_memory(10 * kMi));
  EXPECT_EQ(node.look(with_memory(90 * kMi, 0), 0).verdict, kEvict);
  EXPECT_EQ(node.look(with_memory(120 * kMi, 10), 10).verdict, kEvict);
  EXPECT_EQ(node.look(with_memory(151 * kMi, 20), 20).verdict, kNothingMet);
}

TEST(Cycle, a_soft_threshold_waits_and_gives_the_pod_its_time) {
  Node node({.thresholds = {threshold(kMemoryAvailable, "200Mi", seconds(30))},
             .max_pod_grace_period = 30,
             .rules = kRules});
  api::Pod pod = make_pod({.name = "a"});
  pod.spec.terminationGracePeriodSeconds = 10;
  node.add(std::move(pod), using_memory(kMi));
  EXPECT_EQ(node.look(with_memory(150 * kMi, 0), 0).verdict, kWaiting);
  const auto decision = node.look(with_memory(150 * kMi, 30), 30);
  ASSERT_EQ(decision.verdict, kEvict);
  EXPECT_EQ(decision.evictions[0].grace_period_override, 10);
}

TEST(Cycle, nothing_changes_where_nothing_could_be_measured) {
  Node node = short_of_memory();
  node.look(with_memory(97 * kMi, 0), 0);
  const EvictionState before = node.state();
  const auto decision = node.look_in_vain(1000);
  EXPECT_EQ(decision.verdict, kNoReadings);
  EXPECT_EQ(node.state(), before);
}

TEST(Cycle, without_thresholds_and_limits_nothing_is_looked_at) {
  Node node({.local_storage_capacity_isolation = false, .rules = kRules});
  EXPECT_EQ(node.look(with_memory(0, 0), 0).verdict, kNothingConfigured);
}

TEST(Cycle, the_layout_is_found_once_and_until_then_nothing_is_decided) {
  Node node = short_of_memory();
  node.set_layout(std::nullopt);
  EXPECT_EQ(node.look(with_memory(0, 0), 0).verdict, kNoLayout);
  EXPECT_EQ(node.state(), EvictionState{});
  node.set_layout(FileSystemLayout::kDedicatedImageFs);
  node.look(with_memory(kGi, 10), 10);
  node.set_layout(std::nullopt);
  EXPECT_EQ(node.look(with_memory(kGi, 20), 20).verdict, kNothingMet);
  EXPECT_EQ(node.state().layout, FileSystemLayout::kDedicatedImageFs);
}

TEST(Cycle, thresholds_of_the_containers_file_system_count_from_the_second_look_on) {
  Node node({.thresholds = {threshold(kNodeFsAvailable, "10Gi")}, .rules = kRules});
  NodeReadings readings{.container_fs = disk_left(kGi, 0)};
  EXPECT_EQ(node.look(readings, 0).thresholds.size(), 1U);
  readings.container_fs->time = wall(10);
  const auto second = node.look(readings, 10);
  EXPECT_EQ(second.thresholds.size(), 2U);
  EXPECT_EQ(second.verdict, kReclaimOnNode);
  EXPECT_EQ(second.due.front().threshold.signal, kContainerFsAvailable);
}

TEST(Cycle, what_is_configured_for_the_containers_file_system_never_counts) {
  Node node({.thresholds = {threshold(kContainerFsAvailable, "50Gi"),
                            threshold(kNodeFsAvailable, "10Gi")},
             .rules = kRules});
  NodeReadings readings{.node_fs = disk_left(20 * kGi, 0), .container_fs = disk_left(20 * kGi, 0)};
  EXPECT_EQ(node.look(readings, 0).verdict, kNothingMet);
  EXPECT_TRUE(node.state().pressure.due.empty());
  readings.container_fs->time = wall(10);
  EXPECT_EQ(node.look(readings, 10).verdict, kNothingMet);
}

TEST(Cycle, of_two_pods_with_one_uid_the_one_that_was_ranked_goes) {
  Node node({.thresholds = {threshold(kMemoryAvailable, "100Mi")}, .rules = kRules});
  for (const PodValues& values :
       {PodValues{.name = "asks", .memory_request = "1Gi"}, PodValues{.name = "asks-nothing"}}) {
    api::Pod pod = make_pod(values);
    pod.metadata.uid = "";
    node.add(std::move(pod), using_memory(kMi));
  }
  const auto decision = node.look(with_memory(0, 0), 0);
  ASSERT_EQ(decision.evictions.size(), 1U);
  EXPECT_EQ(decision.ranking.front().pod.name, "asks-nothing");
  EXPECT_EQ(decision.evictions[0].pod.name, "asks-nothing");
}

Node short_of_disk() {
  Node node({.thresholds = {threshold(kNodeFsAvailable, "10Gi"), threshold(kPidAvailable, "100")},
             .rules = kRules});
  node.add(make_pod({.name = "a"}), using_disk(kGi, 0));
  return node;
}

TEST(NodeReclaim, comes_before_any_pod_and_nobody_goes_if_it_sufficed) {
  Node node = short_of_disk();
  auto decision = node.look(with_disk(kGi, 0), 0);
  EXPECT_EQ(decision.verdict, kReclaimOnNode);
  EXPECT_EQ(decision.reclaims,
            (std::vector{NodeReclaim::kDeadContainers, NodeReclaim::kUnusedImages}));
  EXPECT_TRUE(decision.evictions.empty());
  const NodeReadings enough = with_disk(20 * kGi, 1);
  decision = node.after_reclaim(std::move(decision), &enough, 0);
  EXPECT_EQ(decision.verdict, kReclaimSufficed);
  EXPECT_TRUE(decision.evictions.empty());
}

TEST(NodeReclaim, that_gained_too_little_or_could_not_be_measured_is_followed_by_an_eviction) {
  const NodeReadings little = with_disk(2 * kGi, 1);
  for (const NodeReadings* after : {&little, static_cast<const NodeReadings*>(nullptr)}) {
    Node node = short_of_disk();
    const auto decision = node.after_reclaim(node.look(with_disk(kGi, 0), 0), after, 0);
    EXPECT_EQ(decision.verdict, kEvict);
    ASSERT_EQ(decision.evictions.size(), 1U);
    EXPECT_NE(decision.evictions[0].message.find("available: 1Gi"), std::string::npos)
        << "the text quotes what was measured first";
  }
}

TEST(NodeReclaim, does_not_suffice_as_long_as_any_threshold_is_met_whatever_it_is_on) {
  Node node = short_of_disk();
  NodeReadings readings = with_disk(kGi, 0);
  NodeReadings after = with_disk(20 * kGi, 1);
  after.pids = PidReading{.running = 950, .max = 1000, .time = wall(1)};
  const auto decision = node.after_reclaim(node.look(readings, 0), &after, 0);
  EXPECT_EQ(decision.verdict, kEvict);
  ASSERT_EQ(decision.unresolved.size(), 1U);
  EXPECT_EQ(decision.unresolved[0].signal, kPidAvailable);
}

TEST(NodeReclaim, that_is_still_under_way_is_not_begun_again_and_processes_go_before_it_is_over) {
  Readings readings{.node = with_disk(kGi, 0)};
  const api::Pod pod = make_pod({.name = "a"});
  readings.pods[pod.metadata.uid] = using_disk(kGi, 0);
  const EvictionConfig config{
      .thresholds = {threshold(kNodeFsAvailable, "10Gi"), threshold(kPidAvailable, "100")},
      .rules = kRules};
  const EvictionState before{.layout = FileSystemLayout::kSingle};
  CycleInput input{.readings = &readings, .pods = {&pod}, .reclaiming = true};
  const auto waits = decide_cycle(config, before, input);
  EXPECT_EQ(waits.verdict, kWaiting);
  EXPECT_TRUE(waits.due.empty() && waits.reclaims.empty() && waits.evictions.empty());
  EXPECT_TRUE(waits.state.pressure.conditions.contains(PressureCondition::kDiskPressure));
  readings.node.pids = PidReading{.running = 950, .max = 1000, .time = wall(0)};
  const auto pids = decide_cycle(config, before, input);
  EXPECT_EQ(pids.verdict, kEvict);
  EXPECT_EQ(pids.attempted, StarvedResource::kPids);
}

TEST(NodeReclaimDeathTest, that_was_not_decided_has_no_sequel) {
  Node node = short_of_disk();
  EXPECT_DEATH(node.after_reclaim(node.look(with_disk(20 * kGi, 0), 0), nullptr, 0),
               "what was reclaimed for had been decided");
  EXPECT_DEATH(std::ignore = decide_after_reclaim({.rules = kRules},
                                                  node.look(with_disk(kGi, 10), 10), {}, nullptr),
               "the readings that decided it are at hand");
}

TEST(Cycle, exceeded_limits_send_all_offenders_and_pressure_waits) {
  Node node = short_of_memory();
  for (const char* name : {"x", "y"}) {
    api::Pod pod = make_pod({.name = name});
    pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Mi");
    node.add(std::move(pod), PodReading{.ephemeral_storage = kGi});
  }
  const auto decision = node.look(with_memory(0, 0), 0);
  EXPECT_EQ(decision.verdict, kLimitsExceeded);
  EXPECT_EQ(decision.evictions.size(), 2U);
  EXPECT_TRUE(node.state().pressure.conditions.contains(PressureCondition::kMemoryPressure));
}

TEST(Cycle, limits_are_not_enforced_where_that_is_switched_off) {
  Node node({.thresholds = {threshold(kMemoryAvailable, "100Mi")},
             .local_storage_capacity_isolation = false,
             .rules = kRules});
  api::Pod pod = make_pod({.name = "x"});
  pod.spec.containers[0].resources.limits["ephemeral-storage"] = quantity("1Mi");
  node.add(std::move(pod), PodReading{.ephemeral_storage = kGi});
  EXPECT_EQ(node.look(with_memory(kGi, 0), 0).verdict, kNothingMet);
}

TEST(StateUnder, other_thresholds_forgets_what_is_gone_and_keeps_the_rest) {
  const Threshold stays = threshold(kMemoryAvailable, "100Mi");
  const Threshold goes = threshold(kMemoryAvailable, "10Gi");
  const EvictionState state{
      .pressure = {.first_observed = {{stays, steady(1)}, {goes, steady(2)}},
                   .last_observed = {{PressureCondition::kMemoryPressure, steady(3)}},
                   .conditions = {PressureCondition::kMemoryPressure},
                   .due = {goes, stays}},
      .layout = FileSystemLayout::kSingle};
  const auto under = state_under({.thresholds = {stays}, .rules = kRules}, state);
  EXPECT_EQ(under.pressure.due, std::vector{stays});
  ASSERT_EQ(under.pressure.first_observed.size(), 1U);
  EXPECT_EQ(under.pressure.first_observed[0].at, steady(1));
  EXPECT_EQ(under.pressure.conditions, state.pressure.conditions)
      << "they have a time of their own";
  EXPECT_EQ(state_under({.thresholds = {goes, stays}, .rules = kRules}, state), state);
  EXPECT_EQ(state_under({.rules = kRules}, state), EvictionState{.layout = state.layout});
}

TEST(StateUnder, thresholds_of_an_images_file_system_keep_those_that_follow_from_them) {
  const Threshold given = threshold(kImageFsAvailable, "15Gi");
  const auto all = with_container_fs({given}, FileSystemLayout::kSplitImageFs);
  const EvictionState state{.pressure = {.due = all}, .layout = FileSystemLayout::kSplitImageFs};
  EXPECT_EQ(state_under({.thresholds = {given}, .rules = kRules}, state), state);
}

TEST(Cycle, says_that_there_is_nobody_or_that_everybody_is_exempt) {
  Node empty({.thresholds = {threshold(kMemoryAvailable, "100Mi")}, .rules = kRules});
  EXPECT_EQ(empty.look(with_memory(0, 0), 0).verdict, kNoPods);

  Node critical({.thresholds = {threshold(kMemoryAvailable, "100Mi")}, .rules = kRules});
  critical.add(make_pod({.name = "system", .priority = 2'000'000'000}), using_memory(kGi));
  const auto decision = critical.look(with_memory(0, 0), 0);
  EXPECT_EQ(decision.verdict, kNobodyEvictable);
  ASSERT_EQ(decision.ranking.size(), 1U);
  EXPECT_EQ(decision.ranking[0].exempt, Exemption::kSystemPriority);
}

TEST(Cycle, with_evict_within_requests_false_pods_within_them_stay_and_that_is_said) {
  Node node({.thresholds = {threshold(kMemoryAvailable, "100Mi")},
             .rules = {.static_pods_are_critical = false, .evict_within_requests = false}});
  node.add(make_pod({.name = "a", .memory_request = "1Gi"}), using_memory(kMi));
  const auto decision = node.look(with_memory(0, 0), 0);
  EXPECT_EQ(decision.verdict, kNobodyEvictable);
  EXPECT_EQ(decision.ranking[0].exempt, Exemption::kWithinRequests);
}

TEST(Cycle, a_stall_of_memory_evicts_by_memory) {
  Node node({.thresholds = {{.signal = kMemoryPressureFullAvg10, .value = Share{0.1F}}},
             .rules = kRules});
  node.add(make_pod({.name = "a"}), using_memory(kMi));
  const auto decision = node.look(
      {.own = {.memory_pressure = StallReading{.full_avg10 = 200'000, .time = wall(0)}}}, 0);
  EXPECT_EQ(decision.verdict, kEvict);
  EXPECT_EQ(metric_signal(decision.evictions.at(0)), "memory.pressure.full.avg10");
}

TEST(Cycle, an_average_evicts_nobody_until_its_whole_time_lies_after_the_last_eviction) {
  const auto stalled = [](std::int64_t at) {
    return NodeReadings{
        .own = {.memory_pressure = StallReading{.full_avg10 = 200'000, .time = wall(at)}}};
  };
  Node node({.thresholds = {{.signal = kMemoryPressureFullAvg10, .value = Share{0.1F}}},
             .rules = kRules});
  node.add(make_pod({.name = "a"}), using_memory(kMi));
  ASSERT_EQ(node.look(stalled(0), 0).verdict, kEvict);
  EXPECT_EQ(node.look(stalled(1), 1).verdict, kWaiting) << "it still contains what that pod did";
  EXPECT_EQ(node.look(stalled(9), 9).verdict, kWaiting);
  EXPECT_EQ(node.look(stalled(10), 10).verdict, kEvict);
}

TEST(Cycle, a_disk_sends_the_next_pod_when_what_the_last_one_had_can_be_free) {
  const auto full = [](std::int64_t at) {
    NodeReadings readings = with_disk(5 * kGi, at);
    readings.pids = PidReading{.running = 1, .max = 1000, .time = wall(at)};
    return readings;
  };
  Node node({.thresholds = {threshold(kNodeFsAvailable, "10Gi"), threshold(kPidAvailable, "10")},
             .rules = kRules});
  node.add(make_pod({.name = "a"}), using_memory(kMi));
  ASSERT_EQ(node.look(full(0), 0).verdict, kReclaimOnNode);
  node.gone_for_disk(1);
  EXPECT_EQ(node.look(full(1), 1).verdict, kWaiting);
  EXPECT_EQ(node.look(full(10), 10).verdict, kWaiting);
  EXPECT_EQ(node.look(full(11), 11).verdict, kReclaimOnNode);
  node.gone_for_disk(11);
  auto forked = full(12);
  forked.pids->running = 995;
  EXPECT_EQ(node.look(forked, 12).verdict, kEvict) << "of processes nothing is waited for";
}

TEST(Cycle, what_is_no_average_evicts_the_next_at_once) {
  Node node({.thresholds = {threshold(kMemoryAvailable, "100Mi")}, .rules = kRules});
  node.add(make_pod({.name = "a"}), using_memory(kMi));
  ASSERT_EQ(node.look(with_memory(kMi, 0), 0).verdict, kEvict);
  EXPECT_EQ(node.look(with_memory(kMi, 1), 1).verdict, kEvict);
}

TEST(Cycle, a_stall_of_disks_evicts_who_waits_most_and_reclaims_nothing) {
  Node node(
      {.thresholds = {{.signal = kIoPressureFullAvg60, .value = Share{0.3F}}}, .rules = kRules});
  node.add(make_pod({.name = "calm"}),
           PodReading{.io_pressure = StallReading{.full_avg60 = 10'000}});
  node.add(make_pod({.name = "busy"}),
           PodReading{.io_pressure = StallReading{.full_avg60 = 400'000}});
  const auto decision =
      node.look({.own = {.io_pressure = StallReading{.full_avg60 = 420'000, .time = wall(0)}}}, 0);
  EXPECT_EQ(decision.verdict, kEvict);
  EXPECT_EQ(decision.reclaims, std::vector<NodeReclaim>{})
      << "that would be even more for the disk";
  EXPECT_EQ(decision.evictions.at(0).pod.name, "busy");
  EXPECT_EQ(decision.evictions.at(0).message,
            "The node was low on resource: io. Threshold of io.pressure.full.avg60: 30%, "
            "observed: 42%. ");
  EXPECT_TRUE(decision.state.pressure.conditions.contains(PressureCondition::kDiskPressure));
}

TEST(TransitionPeriod, of_zero_is_the_default) {
  EXPECT_EQ(transition_period(Nanoseconds::zero()), std::chrono::minutes(5));
  EXPECT_EQ(transition_period(seconds(1)), seconds(1));
}

}  // namespace
}  // namespace berth::eviction
