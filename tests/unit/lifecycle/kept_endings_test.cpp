// SPDX-License-Identifier: Apache-2.0

// Pods that are ordered to end and stay listed: evicted, preempted, or stopped by a node shutdown.
#include <gtest/gtest.h>

#include "lifecycle/ending.hpp"
#include "lifecycle/status/conditions.hpp"
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
  // Sandboxes and containers that have not been removed from the runtime.
  [[nodiscard]] std::int64_t in_runtime() const {
    const auto is_left = [](const auto& one) { return !one.removed; };
    return std::ranges::count_if(runtime.instances(), is_left) +
           std::ranges::count_if(runtime.sandboxes(), is_left);
  }
  [[nodiscard]] std::int32_t exit_code() const {
    const auto& ended = status().containerStatuses.at(0).state.terminated;
    return ended ? ended->exitCode : -1;
  }
  boost::asio::awaitable<void> collect(Nanoseconds limit) {
    co_await agent->pods().collect_finished_pods(clock.steady_now() + limit);
    collected = true;
  }

  bool collected = false;
};

TEST_F(KeptEndingsTest, an_evicted_pod_is_failed_once_it_has_stopped_and_never_runs_again) {
  const auto made = pod("u1", {container("main", {"sim", "term=1500", "code=143"})});
  desire({made});
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
  desire({made});
  clock.advance(10min);
  EXPECT_EQ(started(), 1U);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
  ASSERT_NE(disruption(), nullptr);
  EXPECT_TRUE(shown.gone.empty());
}

TEST_F(KeptEndingsTest, it_is_killed_when_its_override_is_over) {
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
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
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
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
  desire({made});
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
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=0"})}, "Never")});
  for (int ms = 0; ms < 10'000 && recorded_events.count("Created") == 0; ++ms) clock.advance(1ms);
  runtime.hang();
  // The worker waits for the response to its start, which comes only once the container has exited.
  ASSERT_TRUE(evict());
  runtime.wake_up();
  clock.advance(10s);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_NE(disruption(), nullptr);
}

TEST_F(KeptEndingsTest, an_eviction_that_a_kill_interrupted_goes_on_with_the_next_berthd) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
  desire({made});
  clock.advance(1s);
  ASSERT_TRUE(order(evicted(kLow, 8s, clock.wall_now())));
  clock.advance(2s);
  ASSERT_TRUE(store.rows().at("u1")->end);
  EXPECT_EQ(store.rows().at("u1")->end->ending.cause, EndCause::kEvicted);
  EXPECT_EQ(store.rows().at("u1")->end->grace_seconds, 8);
  end_agent();
  begin_agent();
  desire({made});
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
  desire({made});
  clock.advance(1s);
  ASSERT_TRUE(order(evicted(kLow, 20s, clock.wall_now())));
  clock.advance(2s);
  reboot();
  desire({made});
  clock.advance(1min);
  EXPECT_TRUE(rebooted->instances().empty());
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
}

TEST_F(KeptEndingsTest, one_that_lost_its_containers_and_is_never_restarted_keeps_the_reason) {
  const auto made = pod("u1", {container("main", {"sim", "term=ignore"})}, "Never");
  desire({made});
  clock.advance(1s);
  ASSERT_TRUE(order(evicted(kLow, 20s, clock.wall_now())));
  clock.advance(2s);
  reboot();
  desire({made});
  clock.advance(1min);
  EXPECT_TRUE(rebooted->instances().empty());
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
  ASSERT_NE(disruption(), nullptr);
}

TEST_F(KeptEndingsTest, an_evicted_pod_can_be_deleted_and_comes_again) {
  desire({pod("u1", {container("main", {"sim", "code=1"})})});
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
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
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
  desire({pod("u1", {container("main", {"sim", "code=1"})})});
  clock.advance(1s);
  ASSERT_TRUE(evict());
  clock.advance(10s);
  desire({});
  clock.advance(10s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_FALSE(store.rows().contains("u1"));
}

TEST_F(KeptEndingsTest,
       nothing_of_an_evicted_pod_stays_in_the_runtime_and_it_is_shown_as_it_ended) {
  const auto made = pod("u1", {container("main", {"sim", "term=1500", "code=143"})});
  desire({made});
  clock.advance(1s);
  ASSERT_TRUE(evict());
  clock.advance(10s);
  EXPECT_EQ(in_runtime(), 0);
  EXPECT_EQ(exit_code(), 143);
  EXPECT_EQ(agent->pods().missed_events(), 0U);
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(10min);
  EXPECT_EQ(started(), 1U);
  EXPECT_EQ(status().reason, "Evicted");
  EXPECT_EQ(exit_code(), 143);
}

TEST_F(KeptEndingsTest, of_an_evicted_pod_all_stays_until_the_store_knows_how_it_ended) {
  desire({pod("u1", {container("main", {"sim", "code=1"})})});
  clock.advance(1s);
  store.set_full(true);
  ASSERT_TRUE(evict());
  clock.advance(20s);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(in_runtime(), 2);
  store.set_full(false);
  clock.advance(1min);
  EXPECT_EQ(status().reason, "Evicted");
  EXPECT_EQ(in_runtime(), 0);
}

TEST_F(KeptEndingsTest, what_the_runtime_refuses_to_remove_of_an_evicted_pod_goes_later) {
  desire({pod("u1", {container("main", {"sim", "code=1"})})});
  clock.advance(1s);
  runtime.hang();
  ASSERT_TRUE(evict());
  clock.advance(1s);
  runtime.wake_up();
  clock.advance(10min);
  EXPECT_EQ(status().reason, "Evicted");
  EXPECT_EQ(in_runtime(), 0);
}

TEST_F(KeptEndingsTest, the_containers_of_a_finished_pod_go_when_the_disk_is_short) {
  desire({job("u1", "one", 1), pod("u2", {container("main", {"sim", "code=1"})})});
  clock.advance(5s);
  ASSERT_EQ(agent->pods().find("default", "one")->status.phase, "Succeeded");
  ASSERT_EQ(in_runtime(), 4);
  spawn("collection", collect(1min));
  clock.advance(1s);
  EXPECT_TRUE(collected);
  EXPECT_EQ(in_runtime(), 2) << "what runs stays";
  EXPECT_EQ(live(), 1);
  const auto one = agent->pods().find("default", "one");
  EXPECT_EQ(one->status.phase, "Succeeded");
  ASSERT_TRUE(one->status.containerStatuses.at(0).state.terminated);
  EXPECT_EQ(one->status.containerStatuses.at(0).state.terminated->exitCode, 0);
}

TEST_F(KeptEndingsTest,
       a_finished_pod_without_containers_does_not_begin_again_with_the_next_berthd) {
  const auto one = job("u1", "one", 1);
  desire({one});
  clock.advance(5s);
  spawn("collection", collect(1min));
  clock.advance(1s);
  ASSERT_EQ(in_runtime(), 0);
  end_agent();
  begin_agent();
  desire({one});
  clock.advance(10min);
  EXPECT_EQ(started(), 1U);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_EQ(exit_code(), 0);
}

TEST_F(KeptEndingsTest, a_collection_is_not_waited_for_for_ever) {
  desire({job("u1", "one", 1)});
  clock.advance(5s);
  runtime.hang();
  spawn("collection", collect(1s));
  clock.advance(900ms);
  EXPECT_FALSE(collected);
  clock.advance(200ms);
  EXPECT_TRUE(collected);
  runtime.wake_up();
  clock.advance(1min);
  EXPECT_EQ(in_runtime(), 0);
}

TEST_F(KeptEndingsTest, what_is_over_or_was_never_begun_cannot_be_evicted) {
  EXPECT_FALSE(evict()) << "there is no such pod";
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=100"})}, "Never")});
  clock.advance(5s);
  ASSERT_EQ(status().phase, "Succeeded");
  EXPECT_FALSE(evict());
  clock.advance(5s);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_EQ(disruption(), nullptr);
}

}  // namespace
}  // namespace berth::lifecycle
