// SPDX-License-Identifier: Apache-2.0

// Reclaiming on the node takes minutes: what the manager does meanwhile, and afterwards.
#include <algorithm>

#include "eviction/simulate.hpp"
#include "tests/unit/agent/eviction/manager_fixture.hpp"

namespace berth::agent {
namespace {

class SlowReclaimTest : public EvictionManagerTest {
 protected:
  // Makes disk short, and the node begin to reclaim.
  void begin_reclaim(std::vector<eviction::Threshold> others = {}) {
    node.set_memory(4 * kGi);
    node.set_disk(5 * kGi);
    node.add({.name = "large"}, 2 * kGi);
    node.add({.name = "small"}, kGi);
    set_disk_use("large", 2 * kGi);
    set_disk_use("small", kGi);
    node.reclaims_slowly = true;
    others.push_back(eviction::threshold(Signal::kNodeFsAvailable, "10Gi"));
    begin(std::move(others));
    EXPECT_EQ(take_log(),
              (Lines{"conditions DiskPressure", "Attempting to reclaim ephemeral-storage",
                     "reclaim DeadContainers"}));
  }
  void set_disk_use(const std::string& name, std::int64_t bytes) {
    auto& containers = node.pod_readings["uid-" + name].containers;
    if (containers.empty()) containers.push_back({.name = "c"});
    containers[0].rootfs = eviction::UsedSpace{.bytes = bytes, .inodes = 1};
    containers[0].logs = eviction::UsedSpace{.bytes = 0, .inodes = 0};
  }
};

TEST_F(SlowReclaimTest, looks_go_on_and_for_that_disk_nobody_goes_before_it_is_over) {
  begin_reclaim();
  const int before = node.node_reads;
  clock.advance(60s);
  EXPECT_GE(node.node_reads - before, 50);
  EXPECT_TRUE(take_log().empty()) << "neither a second reclaim nor an eviction";
  node.end_reclaim();
  clock.advance(1s);
  const Lines after = take_log();
  ASSERT_FALSE(after.empty());
  EXPECT_EQ(after, (Lines{"reclaim UnusedImages", "evict large"}));
  EXPECT_TRUE(node.reports.at(0).after_reclaim.has_value());
}

TEST_F(SlowReclaimTest, a_view_says_that_it_is_waited_for) {
  begin_reclaim();
  EvictionView seen;
  const auto look = [](EvictionManager& of, EvictionView* out) -> boost::asio::awaitable<void> {
    *out = co_await of.view();
  };
  clock.advance(1ms);
  spawn_and_drain(look(*manager, &seen));
  EXPECT_EQ(seen.explanation.waits_for, eviction::DueWait::kReclaim);
  EXPECT_EQ(seen.explanation.verdict, eviction::CycleVerdict::kReclaimOnNode);
}

TEST_F(SlowReclaimTest, meanwhile_memory_sends_whom_it_must) {
  begin_reclaim({eviction::threshold(Signal::kMemoryAvailable, "100Mi")});
  node.set_memory(50 * kMi);
  clock.advance(3s);
  EXPECT_EQ(take_log(), (Lines{"conditions MemoryPressure DiskPressure",
                               "Attempting to reclaim memory", "evict large"}));
}

TEST_F(SlowReclaimTest, meanwhile_processes_send_whom_they_must_though_the_disk_is_shorter) {
  node.readings.pids = eviction::PidReading{.running = 1, .max = 1000};
  begin_reclaim({eviction::threshold(Signal::kPidAvailable, "100")});
  node.readings.pids = eviction::PidReading{.running = 901, .max = 1000};
  clock.advance(3s);
  EXPECT_EQ(take_log(), (Lines{"conditions DiskPressure PIDPressure", "Attempting to reclaim pids",
                               "evict large"}));
  const EvictionReport& report = node.reports.at(0);
  eviction::CycleInput input{
      .readings = &report.readings, .layout = report.layout, .now = report.now};
  for (const auto& pod : report.pods) input.pods.push_back(pod.get());
  const auto again = decide_cycle(report.config, report.before, input);
  ASSERT_EQ(again.evictions.size(), 1U) << "its report alone decides the same again";
  EXPECT_EQ(again.evictions, report.decision.evictions);
  EXPECT_EQ(again.due, report.decision.due);
}

TEST_F(SlowReclaimTest, who_goes_afterwards_is_chosen_from_what_is_measured_then) {
  begin_reclaim();
  clock.advance(30s);
  set_disk_use("small", 3 * kGi);
  node.end_reclaim();
  clock.advance(1s);
  EXPECT_EQ(take_log().back(), "evict small");
}

TEST_F(SlowReclaimTest, after_one_went_the_next_waits_until_what_it_had_can_be_free) {
  begin_reclaim();
  node.end_reclaim();
  clock.advance(1s);
  ASSERT_EQ(take_log().back(), "evict large");
  clock.advance(3s);
  node.end("uid-large");
  clock.advance(9s);
  EXPECT_EQ(take_log(), Lines{"waited"}) << "the disk is still short";
  clock.advance(2s);
  const Lines later = take_log();
  ASSERT_FALSE(later.empty());
  EXPECT_EQ(later.back(), "evict small");
}

TEST_F(SlowReclaimTest, who_goes_afterwards_is_ranked_by_what_all_have_on_disk_then) {
  begin_reclaim();
  node.before_walk = [this] { set_disk_use("small", 3 * kGi); };
  node.end_reclaim();
  clock.advance(1s);
  EXPECT_EQ(take_log().back(), "evict small");
  EXPECT_EQ(node.walked, (Lines{"large", "small"}));
}

TEST_F(SlowReclaimTest, that_sufficed_sends_nobody_and_the_next_shortage_reclaims_anew) {
  begin_reclaim();
  clock.advance(5500ms);
  node.set_disk(50 * kGi);
  node.end_reclaim();
  drain();
  EXPECT_EQ(take_log(), Lines{"reclaim UnusedImages"});
  EXPECT_TRUE(manager->history().newest()->after_reclaim.has_value());
  node.set_disk(5 * kGi);
  clock.advance(11s);
  const Lines later = take_log();
  ASSERT_GE(later.size(), 3U);
  EXPECT_EQ(later[0], "Attempting to reclaim ephemeral-storage");
  EXPECT_EQ(later[1], "reclaim DeadContainers");
}

TEST_F(SlowReclaimTest, that_changes_nothing_is_reported_once_where_everybody_is_exempt) {
  node.set_disk(5 * kGi);
  node.add({.name = "critical", .priority = 2'000'000'000}, kGi);
  begin({eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  clock.advance(20s);
  EXPECT_EQ(std::ranges::count(take_log(), "NobodyEvictable"), 1);
}

TEST_F(SlowReclaimTest, is_followed_by_the_choice_of_a_pod_also_where_everybody_is_exempt) {
  node.set_disk(5 * kGi);
  node.add({.name = "critical", .priority = 2'000'000'000}, kGi);
  node.reclaims_slowly = true;
  begin({eviction::threshold(Signal::kNodeFsAvailable, "10Gi")});
  clock.advance(1s);
  EXPECT_TRUE(node.chosen_for.empty()) << "while the node reclaims";
  node.end_reclaim();
  clock.advance(1s);
  ASSERT_FALSE(node.chosen_for.empty());
  EXPECT_EQ(node.chosen_for.front(), "nodefs.available<10Gi");
}

TEST_F(SlowReclaimTest, replayed_is_one_reclaim_and_nobody_goes) {
  begin_reclaim();
  clock.advance(20s);
  node.set_disk(50 * kGi);
  node.end_reclaim();
  clock.advance(1s);
  clock.advance(3s);
  const auto replayed = eviction::simulate(manager->history(), manager->config(),
                                           eviction::FileSystemLayout::kSingle);
  const auto count = [&](eviction::SimulatedKind kind) {
    return std::ranges::count(replayed.events, kind, &eviction::SimulatedEvent::kind);
  };
  EXPECT_EQ(count(eviction::SimulatedKind::kReclaim), 1);
  EXPECT_EQ(count(eviction::SimulatedKind::kEviction), 0);
  EXPECT_EQ(replayed.events.back().certainty, eviction::Certainty::kAsMeasured);
}

}  // namespace
}  // namespace berth::agent
