// SPDX-License-Identifier: Apache-2.0

// The set of pods and its workers with a quiet simulated runtime, in virtual time: what is shown
// when, how fast, and with how many calls.
#include "lifecycle/pods/pod_set.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

boost::asio::awaitable<void> log_when_ready(PodSet& pods, std::vector<std::string>& log) {
  co_await pods.until_ready();
  log.emplace_back("ready");
}

TEST_F(PodSetTest, a_plain_pod_runs_as_soon_as_the_runtime_lets_it_and_with_few_calls) {
  desire({pod("u1", {container("main", {"sim"})})});
  // RunPodSandbox takes 80 ms, create 10, start 20, and a few queries 1 ms each.
  clock.advance(140ms);
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(status().containerStatuses.at(0).restartCount, 0);
  EXPECT_TRUE(status().containerStatuses.at(0).ready);
  // Version and listing once at start, then: run, sandbox status, image, create, start, status.
  EXPECT_LE(runtime.calls(), 11U);
  const auto before = runtime.calls();
  clock.advance(10min);
  EXPECT_LE(runtime.calls() - before, 2U * 21U) << "beside the relist nothing is asked";
}

TEST_F(PodSetTest, a_job_succeeds_at_once_when_it_ends_and_its_containers_stay) {
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=1000"})}, "Never")});
  clock.advance(1200ms);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_EQ(shown.phases, (std::vector<std::string>{"Pending", "Running", "Succeeded"}));
  clock.advance(1h);
  EXPECT_EQ(status().containerStatuses.at(0).state.terminated->reason, "Completed");
  EXPECT_TRUE(shown.gone.empty());
}

TEST_F(PodSetTest, a_crash_loop_waits_exactly_its_windows) {
  desire({pod("u1", {container("main", {"sim", "exit=1", "after=1000"})})});
  clock.advance(200s);
  std::vector<double> gaps;
  const auto& instances = runtime.instances();
  for (std::size_t i = 1; i < instances.size(); ++i)
    gaps.push_back(
        std::chrono::duration<double>(*instances[i].start_called - *instances[i - 1].exited)
            .count());
  ASSERT_EQ(gaps.size(), 5U);
  const double windows[] = {0, 10, 20, 40, 80};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(gaps[i], windows[i], 0.05);
  EXPECT_EQ(status().containerStatuses.at(0).state.waiting->reason, "CrashLoopBackOff");
  EXPECT_EQ(status().containerStatuses.at(0).restartCount, 5);
  // One dead instance is kept.
  EXPECT_EQ(std::ranges::count_if(instances, [](const auto& i) { return !i.removed; }), 1);
}

TEST_F(PodSetTest, init_containers_and_sidecars_come_in_order_and_stop_in_reverse) {
  auto made = pod("u1", {container("main", {"sim"})});
  api::Container side = container("side", {"sim"});
  side.restartPolicy = "Always";
  made->spec.initContainers = {container("first", {"sim", "exit=0", "after=100"}), side};
  desire({made});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Running");
  ASSERT_EQ(runtime.instances().size(), 3U);
  EXPECT_EQ(runtime.instances()[0].name, "first");
  EXPECT_EQ(runtime.instances()[1].name, "side");
  EXPECT_EQ(runtime.instances()[2].name, "main");
  desire({});
  clock.advance(5s);
  EXPECT_LE(runtime.instances()[2].exited, runtime.instances()[1].first_term);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
}

TEST_F(PodSetTest, a_removed_manifest_leaves_nothing_behind) {
  desire({pod("u1", {container("main", {"sim", "term=500"})})});
  clock.advance(1s);
  EXPECT_EQ(live(), 1);
  desire({});
  clock.advance(10ms);
  EXPECT_TRUE(shown.last->metadata.deletionTimestamp);
  EXPECT_EQ(shown.last->metadata.deletionGracePeriodSeconds, 30);
  clock.advance(2s);
  EXPECT_EQ(live(), 0);
  EXPECT_TRUE(runtime.sandboxes().front().removed);
  EXPECT_EQ(host.left_of("u1"), "");
  EXPECT_TRUE(agent->pods().snapshot().empty());
  EXPECT_EQ(agent->pods().workers(), 0U);
}

TEST_F(PodSetTest,
       a_stop_that_is_ignored_ends_with_the_grace_period_and_a_second_request_shortens_it) {
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  const SteadyTime begun = clock.steady_now();
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", std::nullopt));
  clock.advance(5s);
  EXPECT_EQ(live(), 1);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", 3s));
  clock.advance(4s);
  const auto& first = runtime.instances().front();
  ASSERT_TRUE(first.first_kill);
  EXPECT_GE(*first.first_kill - begun, Nanoseconds(8s));
  EXPECT_LE(*first.first_kill - begun, Nanoseconds(8100ms));
}

TEST_F(PodSetTest, a_deleted_pod_comes_again_as_another_incarnation) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1s);
  ASSERT_TRUE(agent->pods().delete_pod("default", "web", std::nullopt));
  EXPECT_FALSE(agent->pods().delete_pod("default", "other", std::nullopt));
  clock.advance(2s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  ASSERT_TRUE(agent->pods().find("default", "web"));
  EXPECT_EQ(agent->pods().find("default", "web")->metadata.uid, "u1-next");
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetTest, an_edited_manifest_waits_for_the_end_of_the_old_pod) {
  desire({pod("u1", {container("main", {"sim", "term=5000"})})});
  clock.advance(1s);
  desire({pod("u2", {container("main", {"sim"})})});
  clock.advance(3s);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(agent->pods().snapshot().front()->metadata.uid, "u1");
  clock.advance(4s);
  ASSERT_EQ(agent->pods().snapshot().size(), 1U);
  EXPECT_EQ(agent->pods().snapshot().front()->metadata.uid, "u2");
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetTest, a_restart_of_the_agent_leaves_everything_running) {
  const auto desired = pod("u1", {container("main", {"sim"})});
  desire({desired});
  clock.advance(1s);
  const auto id = status().containerStatuses.at(0).containerID;
  end_agent();
  clock.advance(1min);
  EXPECT_EQ(live(), 1);
  begin_agent();
  desire({desired});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(status().containerStatuses.at(0).containerID, id);
  EXPECT_EQ(runtime.instances().size(), 1U);
}

TEST_F(PodSetTest, a_pod_that_is_no_longer_desired_is_found_and_ended_with_its_own_period) {
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  end_agent();
  begin_agent();
  desire({});
  clock.advance(29s);
  EXPECT_EQ(live(), 1) << "the store knows its grace period";
  clock.advance(3s);
  EXPECT_EQ(live(), 0);
  EXPECT_TRUE(runtime.sandboxes().front().removed);
}

TEST_F(PodSetTest, what_still_runs_of_one_that_waits_for_its_name_gets_its_period_too) {
  const auto second = pod("u2", {container("main", {"sim", "term=500"})});
  desire({second});
  clock.advance(1s);
  end_agent();
  begin_agent();
  const auto first = pod("u1", {container("main", {"sim"})});
  desire({first, second});
  clock.advance(1s);
  desire({first});
  clock.advance(2s);
  const auto& ended = runtime.instances().front();
  ASSERT_EQ(ended.pod_uid, "u2");
  EXPECT_TRUE(ended.first_term);
  EXPECT_FALSE(ended.first_kill);
  EXPECT_TRUE(ended.removed);
}

TEST_F(PodSetTest, nothing_is_done_until_the_sources_have_spoken) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1s);
  end_agent();
  begin_agent();
  drain();
  clock.advance(1min);
  EXPECT_EQ(live(), 1);
  EXPECT_FALSE(agent->pods().ready());
}

TEST_F(PodSetTest, what_is_not_supported_is_held_without_a_call) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].volumeDevices.emplace_back();
  clock.advance(2s);  // it has listed the runtime
  const auto before = runtime.calls();
  desire({made});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Pending");
  EXPECT_NE(status().message.find("volumeDevices"), std::string::npos);
  EXPECT_EQ(runtime.calls(), before);
}

TEST_F(PodSetTest, what_the_node_has_no_room_for_is_rejected_for_good) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].resources.requests["cpu"] = *api::Quantity::parse("100");
  desire({made});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "OutOfcpu");
  EXPECT_TRUE(runtime.instances().empty());
}

TEST_F(PodSetTest, what_was_rejected_stays_rejected_over_a_restart) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.containers[0].resources.requests["cpu"] = *api::Quantity::parse("100");
  desire({made});
  clock.advance(1s);
  EXPECT_EQ(store.rows().at("u1")->verdict, Verdict::kRejected);
  end_agent();
  begin_agent();
  // The pod would fit now; but it is Failed, and that is final.
  auto small = std::make_shared<api::Pod>(*made);
  small->spec.containers[0].resources.requests.clear();
  desire({small});
  clock.advance(1min);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_TRUE(runtime.instances().empty());
}

TEST_F(PodSetTest, backoff_goes_on_over_a_restart) {
  desire({pod("u1", {container("main", {"sim", "exit=1", "after=100"})})});
  clock.advance(45s);  // started at 0, 0.1, 10 and 31 s; the next start is due 40 s after the exit
  const auto starts = runtime.instances().size();
  end_agent();
  begin_agent();
  desire({pod("u1", {container("main", {"sim", "exit=1", "after=100"})})});
  clock.advance(20s);
  EXPECT_EQ(runtime.instances().size(), starts);
  clock.advance(15s);
  EXPECT_EQ(runtime.instances().size(), starts + 1);
}

TEST_F(PodSetTest, a_job_that_finished_stays_finished_though_the_runtime_forgot_it) {
  const auto job = pod("u1", {container("main", {"sim", "exit=0", "after=100"})}, "Never");
  desire({job});
  clock.advance(2s);
  EXPECT_EQ(status().phase, "Succeeded");
  reboot();
  desire({job});
  clock.advance(1min);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_TRUE(rebooted->instances().empty());
}

TEST_F(PodSetTest, what_ran_under_never_has_failed_when_the_runtime_forgot_it) {
  const auto job = pod("u1", {container("main", {"sim"})}, "Never");
  desire({job});
  clock.advance(2s);
  reboot();
  desire({job});
  clock.advance(1min);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().containerStatuses.at(0).state.terminated->reason, "ContainerStatusUnknown");
  EXPECT_TRUE(rebooted->instances().empty());
}

TEST_F(PodSetTest, is_ready_once_the_runtime_is_listed_and_the_sources_have_spoken) {
  spawn_and_drain(log_when_ready(agent->pods(), log));
  clock.advance(1min);
  EXPECT_TRUE(log.empty()) << "the sources have not spoken";
  desire({});
  EXPECT_EQ(log, (std::vector<std::string>{"ready"}));
  log.clear();
}

TEST_F(PodSetTest, after_a_restart_it_is_ready_once_what_it_found_is_shown) {
  const auto made = pod("u1", {container("main", {"sim"})});
  desire({made});
  clock.advance(2s);
  end_agent();
  begin_agent();
  desire({made});
  for (int i = 0; i < 1000 && !agent->pods().ready(); ++i) clock.advance(1ms);
  EXPECT_TRUE(agent->pods().ready());
  EXPECT_EQ(agent->pods().snapshot().size(), 1U);
}

TEST_F(PodSetTest, what_the_runtime_cannot_report_holds_readiness_up_for_five_seconds) {
  const auto made = pod("u1", {container("main", {"sim"})});
  desire({made});
  clock.advance(2s);
  end_agent();
  begin_agent();
  clock.advance(10ms);  // it has listed the runtime, and waits for the sources
  runtime.hang();
  desire({made});
  clock.advance(4900ms);
  EXPECT_FALSE(agent->pods().ready());
  clock.advance(200ms);
  EXPECT_TRUE(agent->pods().ready());
  EXPECT_EQ(live(), 1);
  runtime.wake_up();
}

class SlowToShow : public PodSetTest {
 protected:
  void SetUp() override { begin_on({.latencies = {.exit_shown = {500ms, 500ms}}}); }
  [[nodiscard]] bool runs() const { return rebooted->instances().at(0).live(); }
};

// No berthd receives the exit's event, and the first listing still shows the container running.
TEST_F(SlowToShow, an_exit_of_just_before_berthd_begins_is_found_within_seconds) {
  const auto made = pod("u1", {container("main", {"sim", "exit=0", "after=2000"})}, "Never");
  desire({made});
  clock.advance(1s);
  ASSERT_TRUE(runs());
  end_agent();
  while (runs()) clock.advance(1ms);
  begin_agent();
  desire({made});
  clock.advance(100ms);
  ASSERT_EQ(status().phase, "Running");
  clock.advance(3s);
  EXPECT_EQ(status().phase, "Succeeded");
}

// The exit is adopted as it was shown, to the second.
TEST_F(SlowToShow, what_was_stopped_for_another_sandbox_runs_again_although_it_ended_well) {
  const auto made = pod("u1", {container("main", {"sim", "term=1", "code=0"})}, "OnFailure");
  desire({made});
  clock.advance(1300ms);
  ASSERT_TRUE(runs());
  rebooted->sandbox_dies(rebooted->sandboxes().at(0).id, false);
  while (runs()) clock.advance(1ms);
  clock.advance(5ms);
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(10s);
  EXPECT_EQ(status().phase, "Running");
}

// The old sandbox of `high` has to be stopped before.
TEST_F(PodSetTest, of_pods_begun_together_the_highest_priority_has_its_sandbox_first) {
  const auto low = pod("u1", {container("main", {"sim"})});
  low->metadata.name = "a";
  low->spec.priority = 1;
  const auto high = pod("u2", {container("main", {"sim"})});
  high->metadata.name = "b";
  high->spec.priority = 2;
  desire({high});
  clock.advance(2s);
  end_agent();
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, true);
  begin_agent();
  desire({low, high});
  clock.advance(2s);
  ASSERT_EQ(runtime.sandboxes().size(), 3U);
  EXPECT_EQ(runtime.sandboxes().at(1).config.metadata.uid, "u2");
  EXPECT_EQ(runtime.sandboxes().at(2).config.metadata.uid, "u1");
}

TEST_F(PodSetTest, no_container_is_made_while_the_store_cannot_be_written) {
  store.set_full(true);
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1min);
  EXPECT_EQ(runtime.sandboxes().size(), 1);
  EXPECT_TRUE(runtime.instances().empty());
  store.set_full(false);
  clock.advance(15s);
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetTest, a_stop_goes_on_without_the_store) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(2s);
  store.set_full(true);
  desire({});
  clock.advance(3s);
  EXPECT_EQ(live(), 0);
}

TEST_F(PodSetTest, while_the_runtime_is_away_everything_waits_and_then_goes_on_by_itself) {
  runtime.go_down();
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1min);
  EXPECT_FALSE(agent->pods().ready());
  runtime.come_up();
  clock.advance(6s);
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetTest, no_sandbox_is_asked_of_a_runtime_with_another_cgroup_driver) {
  end_agent();
  runtime.be_set_up({.version = {.runtime_name = "containerd"}, .cgroup_driver = "systemd"});
  begin_agent();
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1min);
  EXPECT_TRUE(runtime.sandboxes().empty());
  EXPECT_EQ(status().phase, "Pending");
  EXPECT_NE(agent->pods().sandbox_obstacle().find("SystemdCgroup = false"), std::string::npos);
  ASSERT_EQ(kept.texts("Hold").size(), 1U);
  EXPECT_NE(kept.texts("Hold").back().find("SystemdCgroup = false"), std::string::npos);
  runtime.be_set_up({.version = {.runtime_name = "containerd"}, .cgroup_driver = "cgroupfs"});
  runtime.go_down();
  runtime.come_up();
  clock.advance(10s);
  EXPECT_EQ(agent->pods().sandbox_obstacle(), "");
  EXPECT_EQ(live(), 1) << "nothing else had to be done";
}

TEST_F(PodSetTest, what_runs_goes_on_when_the_runtime_comes_back_with_another_cgroup_driver) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(10s);
  ASSERT_EQ(live(), 1);
  runtime.be_set_up({.cgroup_driver = "systemd"});
  runtime.go_down();
  runtime.come_up();
  clock.advance(1min);
  EXPECT_EQ(live(), 1);
  EXPECT_NE(agent->pods().sandbox_obstacle(), "");
}

TEST_F(PodSetTest, what_is_under_way_is_listed_for_each_pod) {
  desire({pod("u1", {container("main", {"sim", "term=5000"})})});
  clock.advance(10s);
  const auto activities = agent->pods().activities();
  ASSERT_EQ(activities.size(), 1U);
  EXPECT_EQ(activities[0].state, "syncing");
  EXPECT_TRUE(activities[0].shown);
  EXPECT_EQ(activities[0].pod->status.phase, "Running");
  desire({});
  clock.advance(1s);
  const auto ending = agent->pods().activities();
  ASSERT_EQ(ending.size(), 1U);
  EXPECT_EQ(ending[0].state, "ending");
  EXPECT_EQ(ending[0].stopping, (std::vector<std::string>{"main"}));
}

TEST_F(PodSetTest, knows_a_pod_from_the_start_until_nothing_of_it_is_left) {
  EXPECT_FALSE(agent->pods().knows("u1"));
  desire({pod("u1", {container("main", {"sim", "term=5000"})})});
  clock.advance(10s);
  end_agent();
  begin_agent();
  EXPECT_TRUE(agent->pods().knows("u1")) << "no source has reported yet";
  desire({});
  clock.advance(2s);
  EXPECT_TRUE(agent->pods().knows("u1")) << "it ends";
  clock.advance(1min);
  EXPECT_FALSE(agent->pods().knows("u1"));
}

TEST_F(PodSetTest, a_watcher_sees_what_is_there_and_what_changes) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1s);
  const auto watch = agent->pods().watch();
  ASSERT_EQ(watch->poll()->type, ChangeType::kAdded);
  EXPECT_FALSE(watch->poll());
  desire({});
  clock.advance(5s);
  const auto change = watch->poll();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->type, ChangeType::kDeleted);
}

}  // namespace
}  // namespace berth::lifecycle
