// SPDX-License-Identifier: Apache-2.0

// The manager's passes in virtual time: when it measures, what it does, what it waits for.
#include "tests/unit/agent/eviction/manager_fixture.hpp"

namespace berth::agent {
namespace {

TEST_F(EvictionManagerTest, a_node_is_looked_at_in_half_the_time_that_memory_could_fill_in) {
  node.set_memory(kGi + 100 * kMi);
  begin_with_memory();
  EXPECT_EQ(take_log(), Lines{"conditions"});
  EXPECT_EQ(node.node_reads, 1);
  clock.advance(499ms);
  EXPECT_EQ(node.node_reads, 1);
  clock.advance(1ms);
  EXPECT_EQ(node.node_reads, 2);
  clock.advance(40s);
  EXPECT_EQ(node.node_reads, 82);
  EXPECT_EQ(node.pod_reads, 1) << "pods are not asked for at every look";
  clock.advance(20s);
  EXPECT_EQ(node.pod_reads, 2);
  EXPECT_TRUE(node.detailed.empty());
}

TEST_F(EvictionManagerTest,
       memory_that_stays_near_its_limit_is_no_reason_to_measure_the_pods_more) {
  node.set_memory(kGi);
  begin_with_memory();
  clock.advance(59s);
  EXPECT_EQ(node.pod_reads, 1) << "as on a node whose page cache is full";
  clock.advance(2s);
  EXPECT_EQ(node.pod_reads, 2);
}

TEST_F(EvictionManagerTest, while_memory_runs_short_pods_are_measured_every_ten_seconds) {
  node.set_memory(kGi);
  begin_with_memory();
  clock.advance(5s);
  node.set_memory(600 * kMi);
  clock.advance(4s);
  EXPECT_EQ(node.pod_reads, 1) << "but not sooner";
  clock.advance(2s);
  EXPECT_EQ(node.pod_reads, 2);
  clock.advance(30s);
  EXPECT_EQ(node.pod_reads, 2) << "it stays where it was then";
  node.set_memory(300 * kMi);
  clock.advance(1s);
  EXPECT_EQ(node.pod_reads, 3);
}

TEST_F(EvictionManagerTest, what_moves_far_from_its_limit_is_no_reason_to_measure_the_pods_more) {
  node.set_memory(kGi);
  node.set_disk(90 * kGi);
  node.readings.own.memory_pressure = eviction::StallReading{.full_avg10 = 0};
  begin({eviction::threshold(Signal::kMemoryAvailable, "100Mi"),
         eviction::threshold(Signal::kNodeFsAvailable, "10Gi"),
         {.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.3F}}});
  for (std::int64_t filled = 1; filled <= 40; ++filled) {
    clock.advance(1s);
    node.readings.own.memory_pressure->full_avg10 = filled % 2 * 90'000;
    node.set_disk((90 - filled) * kGi);
  }
  clock.advance(19s);
  EXPECT_EQ(node.pod_reads, 1) << "only memory is near, and stays where it is";
  clock.advance(2s);
  EXPECT_EQ(node.pod_reads, 2);
}

TEST_F(EvictionManagerTest, that_a_disk_could_soon_be_full_is_no_reason_to_measure_the_pods) {
  node.set_disk(14 * kGi);
  node.add({.name = "pod"}, kGi);
  begin({eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  clock.advance(9s);
  EXPECT_EQ(node.asked.size(), 3U);
  EXPECT_EQ(node.asked.back(), Freshness::kFresh);
  EXPECT_EQ(node.pod_reads, 1);
  EXPECT_TRUE(node.detailed.empty());
}

TEST_F(EvictionManagerTest, the_one_that_goes_is_chosen_from_readings_of_that_moment) {
  node.set_memory(4 * kGi);
  node.add({.name = "steady", .memory_request = "1Gi"}, 500 * kMi);
  node.add({.name = "grown"}, 10 * kMi);
  node.add({.name = "large"}, 800 * kMi);
  begin_with_memory();
  take_log();
  node.set_memory(50 * kMi);
  node.pod_readings["uid-grown"] = eviction::using_memory(3 * kGi);
  node.on_evict = [this](const std::string& uid) {
    node.end(uid);
    node.set_memory(3 * kGi);
  };
  clock.advance(3s);
  EXPECT_EQ(take_log(), (Lines{"conditions MemoryPressure", "Attempting to reclaim memory",
                               "evict grown", "waited"}));
  ASSERT_EQ(node.reports.size(), 1U);
  const auto& decision = node.reports[0].decision;
  EXPECT_EQ(decision.evictions[0].grace_period_override, 1);
  EXPECT_EQ(decision.ranking.size(), 3U);
  EXPECT_NE(decision.evictions[0].message.find("Container c was using 3Gi"), std::string::npos);
  EXPECT_EQ(node.detailed, Lines{"grown"}) << "its message names its containers";
  clock.advance(4min);
  EXPECT_TRUE(take_log().empty());
  clock.advance(2min);
  EXPECT_EQ(take_log(), Lines{"conditions"}) << "the transition period is over";
}

TEST_F(EvictionManagerTest,
       a_pod_of_which_nothing_can_be_measured_goes_first_after_a_closer_look_too) {
  node.set_memory(4 * kGi);
  node.add({.name = "large"}, kGi);
  node.add({.name = "unknown"}, 0);
  node.pod_readings.erase("uid-unknown");
  begin_with_memory();
  take_log();
  node.set_memory(50 * kMi);
  clock.advance(3s);
  EXPECT_EQ(take_log().back(), "evict unknown");
}

TEST_F(EvictionManagerTest, for_memory_nothing_but_memory_is_measured_anew) {
  node.set_disk(50 * kGi);
  node.set_memory(50 * kMi);
  node.add({.name = "pod"}, kGi);
  begin({eviction::threshold(Signal::kMemoryAvailable, "100Mi"),
         eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  EXPECT_EQ(node.asked, (std::vector{Freshness::kCheap, Freshness::kFreshMemory}));
  EXPECT_EQ(node.log.at(2), "evict pod");
}

TEST_F(EvictionManagerTest, a_disk_that_turns_out_short_meanwhile_is_measured_before_anybody_goes) {
  node.set_disk(50 * kGi);
  node.set_memory(50 * kMi);
  node.add({.name = "pod"}, kGi);
  node.before_fresh = [this] {
    node.set_memory(4 * kGi);
    node.set_disk(5 * kGi);
  };
  begin({eviction::threshold(Signal::kMemoryAvailable, "100Mi"),
         eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  ASSERT_GE(node.asked.size(), 3U);
  EXPECT_EQ(node.asked.at(1), Freshness::kFreshMemory);
  EXPECT_EQ(node.asked.at(2), Freshness::kFresh);
  EXPECT_EQ(node.log.at(1), "Attempting to reclaim ephemeral-storage");
  clock.advance(1s);
  EXPECT_EQ(node.walked, Lines{"pod"}) << "once the node has reclaimed what it could";
}

TEST_F(EvictionManagerTest, nobody_goes_when_the_fresh_reading_says_otherwise) {
  node.set_memory(4 * kGi);
  node.add({.name = "pod"}, kGi);
  begin_with_memory();
  take_log();
  node.set_memory(50 * kMi);
  node.before_fresh = [this] { node.set_memory(2 * kGi); };
  clock.advance(3s);
  EXPECT_TRUE(take_log().empty());
}

TEST_F(EvictionManagerTest, who_finishes_while_it_is_measured_is_no_candidate_any_more) {
  begin_with_two_and_run_short();
  node.while_measured = [this] { node.end("uid-large"); };
  clock.advance(3s);
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict small"}));
}

TEST_F(EvictionManagerTest,
       what_follows_under_the_same_uid_does_not_go_by_what_was_measured_before) {
  begin_with_two_and_run_short();
  node.while_measured = [this] {
    auto next = eviction::make_pod({.name = "large"});
    next.metadata.annotations["berth.dev/incarnation"] = "2";
    node.add(std::move(next), 3 * kGi);
  };
  clock.advance(3s);
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict small"}));
}

TEST_F(EvictionManagerTest, one_at_a_time_and_the_next_only_when_the_first_has_ended) {
  node.set_memory(50 * kMi);
  node.add({.name = "a"}, 2 * kGi);
  node.add({.name = "b"}, kGi);
  begin_with_memory();
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict a"}));
  clock.advance(10s);
  EXPECT_TRUE(take_log().empty()) << "a has not ended yet";
  node.end("uid-a");
  drain();
  EXPECT_EQ(take_log(), (Lines{"waited", "Attempting to reclaim memory", "evict b"}));
  clock.advance(39s);
  EXPECT_TRUE(take_log().empty())
      << "ten seconds until it is late, and thirty for what is left of it";
  clock.advance(1s);
  EXPECT_EQ(take_log().front(), "waited") << "longer than that nobody is waited for";
}

TEST_F(EvictionManagerTest, an_average_is_taken_anew_from_when_the_evicted_one_is_gone) {
  node.set_memory(4 * kGi);
  node.readings.own.memory_pressure = eviction::StallReading{.full_avg10 = 200'000};
  node.add({.name = "a"}, 2 * kGi);
  node.add({.name = "b"}, kGi);
  begin({{.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.1F}}});
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict a"}));
  clock.advance(5s);
  node.end("uid-a");
  drain();
  EXPECT_EQ(take_log(), Lines{"waited"});
  clock.advance(9s);
  EXPECT_TRUE(take_log().empty()) << "the average still contains what a did";
  clock.advance(2s);
  EXPECT_EQ(take_log(), (Lines{"Attempting to reclaim memory", "evict b"}));
}

TEST_F(EvictionManagerTest, an_average_need_not_forget_one_that_was_over_before_it_could_go) {
  node.set_memory(4 * kGi);
  node.readings.own.memory_pressure = eviction::StallReading{.full_avg10 = 200'000};
  node.add({.name = "a"}, 2 * kGi);
  node.add({.name = "b"}, kGi);
  node.refuses = "uid-a";
  begin({{.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.1F}}});
  EXPECT_EQ(take_log(), (Lines{"conditions MemoryPressure", "Attempting to reclaim memory"}));
  node.end("uid-a");
  clock.advance(1s);
  EXPECT_EQ(take_log(), (Lines{"Attempting to reclaim memory", "evict b"}));
}

TEST_F(EvictionManagerTest, a_step_of_an_average_is_no_reason_to_look_ever_more_often) {
  node.readings.own.memory_pressure = eviction::StallReading{.full_avg10 = 0};
  begin({{.signal = Signal::kMemoryPressureFullAvg10, .value = eviction::Share{0.5F}}});
  clock.advance(100ms);
  node.readings.own.memory_pressure->full_avg10 = 180'000;
  manager->look_soon();
  drain();
  node.readings.own.memory_pressure->full_avg10 = 0;
  clock.advance(10s);
  const int before = node.node_reads;
  clock.advance(60s);
  EXPECT_LE(node.node_reads - before, 24) << "half of the five seconds that it needs at the least";
  EXPECT_GE(node.node_reads - before, 23);
}

TEST_F(EvictionManagerTest, what_the_kernel_says_is_looked_into_at_once) {
  node.set_memory(7 * kGi);
  node.add({.name = "a"}, 2 * kGi);
  begin_with_memory();
  take_log();
  node.set_memory(10 * kMi);
  clock.advance(1ms);
  EXPECT_TRUE(take_log().empty());
  manager->look_soon();
  drain();
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict a"}));
}

TEST_F(EvictionManagerTest, disk_is_first_reclaimed_on_the_node_and_nobody_goes_if_that_suffices) {
  node.set_disk(5 * kGi);
  node.add({.name = "a"}, 1);
  node.on_reclaim = [this](eviction::NodeReclaim what) {
    if (what == eviction::NodeReclaim::kUnusedImages) node.set_disk(50 * kGi);
  };
  node.reclaims_slowly = true;
  begin({eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  clock.advance(100ms);
  node.end_reclaim();
  drain();
  EXPECT_EQ(take_log(), (Lines{"conditions DiskPressure", "Attempting to reclaim ephemeral-storage",
                               "reclaim DeadContainers", "reclaim UnusedImages"}));
  ASSERT_NE(manager->history().newest(), nullptr);
  EXPECT_TRUE(manager->history().newest()->after_reclaim.has_value());
}

TEST_F(EvictionManagerTest, conditions_are_in_force_before_the_node_reclaims_anything) {
  node.set_disk(5 * kGi);
  std::set<eviction::PressureCondition> seen;
  std::size_t standing = 0;
  node.on_reclaim = [&](eviction::NodeReclaim) {
    seen = manager->conditions();
    standing = manager->standing().size();
  };
  begin({eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  EXPECT_TRUE(seen.contains(eviction::PressureCondition::kDiskPressure));
  EXPECT_GT(standing, 0U);
}

TEST_F(EvictionManagerTest, disk_that_nothing_on_the_node_frees_costs_a_pod) {
  node.set_disk(5 * kGi);
  node.add({.name = "a"}, 1);
  begin({eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  clock.advance(1s);
  ASSERT_EQ(node.log.size(), 5U);
  EXPECT_EQ(take_log()[4], "evict a");
  EXPECT_EQ(node.reports[0].decision.reclaims.size(), 2U);
  EXPECT_EQ(manager->history().newest()->evicted, Lines{"uid-a"});
}

TEST_F(EvictionManagerTest, where_everybody_is_exempt_that_is_reported_once) {
  node.set_memory(50 * kMi);
  node.add({.name = "critical", .priority = 2'000'000'000}, kGi);
  begin_with_memory();
  EXPECT_EQ(take_log(), (Lines{"conditions MemoryPressure", "Attempting to reclaim memory",
                               "NobodyEvictable"}));
  clock.advance(5s);
  for (const auto& line : take_log()) EXPECT_EQ(line, "Attempting to reclaim memory");
}

TEST_F(EvictionManagerTest, without_a_layout_it_says_once_that_it_sees_nothing) {
  node.known_layout.reset();
  node.set_memory(50 * kMi);
  begin_with_memory();
  EXPECT_EQ(take_log(), (Lines{"conditions", "blind NoLayout"}));
  clock.advance(30s);
  EXPECT_TRUE(take_log().empty());
  node.known_layout = eviction::FileSystemLayout::kSingle;
  clock.advance(10s);
  EXPECT_EQ(take_log(), (Lines{"conditions MemoryPressure", "Attempting to reclaim memory",
                               "sees again", "NoPods"}));
}

TEST_F(EvictionManagerTest,
       a_threshold_that_cannot_be_measured_is_named_once_and_when_it_can_again) {
  node.set_memory(4 * kGi);
  begin_with_memory();
  take_log();
  node.readings.memory.reset();
  clock.advance(1min);
  EXPECT_EQ(take_log(), Lines{"unmeasured memory.available<100Mi"});
  node.set_memory(4 * kGi);
  clock.advance(1min);
  EXPECT_EQ(take_log(), Lines{"unmeasured"});
}

TEST_F(EvictionManagerTest, other_thresholds_are_in_force_with_the_next_look) {
  node.set_memory(4 * kGi);
  node.add({.name = "a"}, kGi);
  begin_with_memory();
  clock.advance(1ms);
  take_log();
  manager->set_config({.thresholds = {eviction::threshold(Signal::kMemoryAvailable, "5Gi")},
                       .rules = eviction::kRules});
  drain();
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict a"}));
}

TEST_F(EvictionManagerTest, nobody_goes_for_a_threshold_that_was_taken_back) {
  node.set_memory(4 * kGi);
  node.add({.name = "a"}, kGi);
  node.add({.name = "b"}, kGi);
  begin({eviction::threshold(Signal::kMemoryAvailable, "5Gi")});
  EXPECT_EQ(take_log(),
            (Lines{"conditions MemoryPressure", "Attempting to reclaim memory", "evict a"}));
  manager->set_config({.thresholds = {eviction::threshold(Signal::kMemoryAvailable, "100Mi")},
                       .rules = eviction::kRules});
  node.end("uid-a");
  drain();
  clock.advance(4min);
  EXPECT_EQ(take_log(), Lines{"waited"});
  clock.advance(2min);
  EXPECT_EQ(take_log(), Lines{"conditions"}) << "the transition period is over";
}

TEST_F(EvictionManagerTest, no_condition_stays_when_no_threshold_is_left_to_clear_it) {
  node.set_memory(50 * kMi);
  begin_with_memory();
  EXPECT_EQ(take_log().front(), "conditions MemoryPressure");
  eviction::EvictionConfig none{.rules = eviction::kRules};
  none.local_storage_capacity_isolation = false;
  manager->set_config(none);
  drain();
  EXPECT_EQ(take_log(), Lines{"conditions"});
}

TEST_F(EvictionManagerTest, the_history_holds_one_sample_a_second_and_every_act) {
  node.set_memory(kGi);
  begin_with_memory();
  clock.advance(10s);
  EXPECT_LE(manager->history().size(), 11U);
  EXPECT_GE(manager->history().size(), 8U) << "a look every 0.45 s or so";
}

TEST_F(EvictionManagerTest, limits_of_local_storage_are_looked_at_whenever_pods_are_measured) {
  node.set_memory(4 * kGi);
  auto limited = eviction::make_pod({.name = "full"});
  limited.spec.volumes = {api::Volume{
      .name = "v", .emptyDir = api::EmptyDirVolumeSource{.sizeLimit = eviction::quantity("1Mi")}}};
  node.add(limited, 1);
  begin_with_memory();
  take_log();
  node.pod_readings["uid-full"].volumes = {
      {.name = "v", .used = eviction::UsedSpace{.bytes = 2 * kMi, .inodes = 1}}};
  clock.advance(55s);
  EXPECT_TRUE(take_log().empty()) << "pods have not been measured again";
  clock.advance(10s);
  EXPECT_EQ(take_log(), Lines{"evict full"});
}

class LimitedPodTest : public EvictionManagerTest {
 protected:
  // Begins with two pods, one with a limit for its volume and one without.
  void begin_with_limited() {
    node.set_memory(4 * kGi);
    auto limited = eviction::make_pod({.name = "full"});
    limited.spec.volumes = {
        api::Volume{.name = "v",
                    .emptyDir = api::EmptyDirVolumeSource{.sizeLimit = eviction::quantity("1Mi")}}};
    node.add(limited, 1);
    node.add({.name = "other"}, 1);
    begin_with_memory();
    take_log();
  }
  void set_volume(std::int64_t bytes) {
    node.pod_readings["uid-full"].volumes = {
        {.name = "v", .used = eviction::UsedSpace{.bytes = bytes, .inodes = 1}}};
  }
};

TEST_F(LimitedPodTest, goes_by_what_its_volume_holds_now_and_only_that_is_walked) {
  begin_with_limited();
  set_volume(2 * kMi);
  manager->judge_limits_soon();
  drain();
  EXPECT_EQ(take_log(), Lines{"evict full"}) << "at once, not with the next measurement of pods";
  EXPECT_EQ(node.walked, Lines{"full"});
}

TEST_F(LimitedPodTest, stays_when_its_volume_has_been_emptied_since_the_last_walk) {
  begin_with_limited();
  set_volume(2 * kMi);
  node.before_walk = [this] { set_volume(1); };
  manager->judge_limits_soon();
  drain();
  EXPECT_TRUE(take_log().empty());
  EXPECT_EQ(node.walked, Lines{"full"});
}

TEST_F(LimitedPodTest, is_measured_once_a_minute_where_walks_are_switched_off) {
  pods_every = -1s;
  begin_with_limited();
  const int before = node.pod_reads;
  clock.advance(50s);
  EXPECT_EQ(node.pod_reads, before);
  clock.advance(15s);
  EXPECT_EQ(node.pod_reads, before + 1);
}

TEST_F(EvictionManagerTest, for_memory_nobodys_disk_is_walked) {
  begin_with_two_and_run_short();
  clock.advance(3s);
  EXPECT_EQ(take_log().back(), "evict large");
  EXPECT_TRUE(node.walked.empty());
}

class EvictionViewTest : public EvictionManagerTest {
 protected:
  boost::asio::awaitable<void> look(std::optional<eviction::EvictionConfig> instead) {
    view = co_await manager->view(std::move(instead));
  }
  EvictionView view{};
};

TEST_F(EvictionViewTest, shows_who_would_go_now_and_under_other_thresholds_and_does_nothing) {
  node.set_memory(4 * kGi);
  node.add({.name = "a"}, kGi);
  begin_with_memory();
  take_log();
  spawn_and_drain(look(std::nullopt));
  EXPECT_EQ(view.explanation.verdict, eviction::CycleVerdict::kNothingMet);
  EXPECT_EQ(view.explanation.rankings.at(0).next_victim, 0U);
  clock.advance(1ms);
  spawn_and_drain(look(
      eviction::EvictionConfig{.thresholds = {eviction::threshold(Signal::kMemoryAvailable, "5Gi")},
                               .rules = eviction::kRules}));
  EXPECT_EQ(view.explanation.verdict, eviction::CycleVerdict::kEvict);
  EXPECT_TRUE(take_log().empty());
}

TEST_F(EvictionViewTest, says_that_it_waits_until_the_evicted_one_has_ended) {
  begin_with_two_and_run_short();
  clock.advance(3s);
  ASSERT_EQ(take_log().back(), "evict large");
  clock.advance(1ms);
  spawn_and_drain(look(std::nullopt));
  EXPECT_EQ(view.explanation.waits_for, eviction::DueWait::kPodEnd);
  EXPECT_FALSE(view.explanation.until_action);
  node.set_memory(4 * kGi);
  node.end("uid-large");
  clock.advance(1s);
  node.set_memory(50 * kMi);
  spawn_and_drain(look(std::nullopt));
  EXPECT_EQ(view.explanation.waits_for, std::nullopt);
}

}  // namespace
}  // namespace berth::agent
