// SPDX-License-Identifier: Apache-2.0

// Pods that are ordered to end and stay: evicted, preempted, those of a node that is shut down.
#include <gtest/gtest.h>

#include "lifecycle/conditions.hpp"
#include "lifecycle/ending.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

constexpr const char* kLow = "The node was low on resource: memory. ";

class KeptEndingsTest : public PodSetTest {
 protected:
  bool order(const Ending& ending) {
    const bool taken = agent->pods().order("u1", ending);
    drain();
    return taken;
  }
  bool evict() { return order(evicted(kLow, 1s, clock.wall_now())); }
  [[nodiscard]] const api::PodCondition* disruption() const {
    return find_condition(status().conditions, kDisruptionTarget);
  }
  [[nodiscard]] std::size_t started() const { return runtime.instances().size(); }
};

TEST_F(KeptEndingsTest, an_evicted_pod_is_failed_once_it_has_stopped_and_never_runs_again) {
  const auto made = pod("u1", {container("main", {"sim", "term=1500", "code=143"})});
  wish({made});
  clock.advance(1s);
  ASSERT_TRUE(evict());
  clock.advance(500ms);
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(disruption(), nullptr);
  EXPECT_FALSE(shown.last->metadata.deletionTimestamp) << "nobody deletes it";
  clock.advance(10s);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
  EXPECT_EQ(status().message, kLow);
  ASSERT_NE(disruption(), nullptr);
  EXPECT_EQ(disruption()->status, "True");
  EXPECT_EQ(disruption()->reason, "TerminationByKubelet");
  EXPECT_EQ(disruption()->message, kLow);
  EXPECT_FALSE(shown.last->metadata.deletionTimestamp);
  end_agent();
  begin_agent();
  wish({made});
  clock.advance(10min);
  EXPECT_EQ(started(), 1U);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
  ASSERT_NE(disruption(), nullptr);
  EXPECT_TRUE(shown.gone.empty());
}

TEST_F(KeptEndingsTest, it_is_killed_when_its_override_is_over) {
  wish({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  ASSERT_TRUE(evict());
  clock.advance(1900ms);
  EXPECT_EQ(live(), 1) << "two seconds is the least that the runtime gets";
  clock.advance(1s);
  EXPECT_EQ(live(), 0);
}

TEST_F(KeptEndingsTest, an_order_that_finds_a_stop_waiting_for_the_store_gives_its_own_period) {
  begin_a_stop_that_waits_for_the_store();
  ASSERT_TRUE(order(evicted(kLow, 20s, clock.wall_now())));
  clock.advance(19s);
  EXPECT_TRUE(runtime.instances().at(0).first_term);
  EXPECT_EQ(live(), 1) << "nothing had reached it when the order came";
  clock.advance(3s);
  EXPECT_EQ(live(), 0);
}

TEST_F(KeptEndingsTest, a_preempted_pod_has_its_own_period) {
  wish({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  ASSERT_TRUE(order(preempted(clock.wall_now())));
  clock.advance(29s);
  EXPECT_EQ(live(), 1);
  clock.advance(3s);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(status().reason, "Preempting");
  EXPECT_EQ(status().message, "Preempted in order to admit critical pod");
}

TEST_F(KeptEndingsTest, one_whose_containers_exit_0_succeeds_and_is_not_started_again) {
  const auto made = pod("u1", {container("main", {"sim", "term=100", "code=0"})});
  wish({made});
  clock.advance(1s);
  ASSERT_TRUE(order(node_shutdown(5s, clock.wall_now())));
  clock.advance(10s);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_EQ(status().reason, "");
  ASSERT_NE(disruption(), nullptr);
  EXPECT_EQ(shown.phases.back(), "Succeeded");
  EXPECT_EQ(std::ranges::count(shown.phases, "Failed"), 0);
  clock.advance(10min);
  EXPECT_EQ(started(), 1U);
}

TEST_F(KeptEndingsTest, an_order_is_judged_by_what_the_pod_was_when_it_was_given) {
  wish({pod("u1", {container("main", {"sim", "exit=0", "after=0"})}, "Never")});
  for (int ms = 0; ms < 10'000 && told_events.count("Created") == 0; ++ms) clock.advance(1ms);
  runtime.hang();
  // The worker waits for the start's answer, which comes only once the container has ended.
  ASSERT_TRUE(evict());
  runtime.wake_up();
  clock.advance(10s);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_NE(disruption(), nullptr);
}

TEST_F(KeptEndingsTest, an_eviction_that_a_kill_interrupted_goes_on_with_the_next_berthd) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
  wish({made});
  clock.advance(1s);
  ASSERT_TRUE(order(evicted(kLow, 8s, clock.wall_now())));
  clock.advance(2s);
  ASSERT_TRUE(store.rows().at("u1")->end);
  EXPECT_EQ(store.rows().at("u1")->end->ending.cause, EndCause::kEvicted);
  EXPECT_EQ(store.rows().at("u1")->end->grace_seconds, 8);
  end_agent();
  begin_agent();
  wish({made});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(live(), 1);
  EXPECT_EQ(disruption(), nullptr);
  clock.advance(10s);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(started(), 1U);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
  ASSERT_NE(disruption(), nullptr);
}

TEST_F(KeptEndingsTest, one_that_lost_its_containers_while_it_ended_does_not_begin_again) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
  wish({made});
  clock.advance(1s);
  ASSERT_TRUE(order(evicted(kLow, 20s, clock.wall_now())));
  clock.advance(2s);
  reboot();
  wish({made});
  clock.advance(1min);
  EXPECT_TRUE(rebooted->instances().empty());
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
}

TEST_F(KeptEndingsTest, an_evicted_pod_can_be_deleted_and_comes_again) {
  wish({pod("u1", {container("main", {"sim", "code=1"})})});
  clock.advance(1s);
  ASSERT_TRUE(evict());
  clock.advance(10s);
  ASSERT_EQ(status().phase, "Failed");
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", std::nullopt));
  clock.advance(10s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_EQ(shown.last->metadata.uid, "u1-next");
  EXPECT_EQ(status().phase, "Running");
}

TEST_F(KeptEndingsTest, one_that_is_deleted_while_it_is_evicted_has_the_shorter_period) {
  wish({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  ASSERT_TRUE(order(evicted(kLow, 4s, clock.wall_now())));
  clock.advance(1s);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 20s));
  EXPECT_EQ(shown.last->metadata.deletionGracePeriodSeconds, 4);
  clock.advance(5s);
  EXPECT_EQ(live(), 1) << "its successor";
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
}

TEST_F(KeptEndingsTest, an_evicted_pod_whose_manifest_goes_is_removed) {
  wish({pod("u1", {container("main", {"sim", "code=1"})})});
  clock.advance(1s);
  ASSERT_TRUE(evict());
  clock.advance(10s);
  wish({});
  clock.advance(10s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_FALSE(store.rows().contains("u1"));
}

TEST_F(KeptEndingsTest, what_is_over_or_was_never_begun_cannot_be_evicted) {
  EXPECT_FALSE(evict()) << "there is no such pod";
  wish({pod("u1", {container("main", {"sim", "exit=0", "after=100"})}, "Never")});
  clock.advance(5s);
  ASSERT_EQ(status().phase, "Succeeded");
  EXPECT_FALSE(evict());
  clock.advance(5s);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_EQ(disruption(), nullptr);
}

}  // namespace
}  // namespace berth::lifecycle
