// SPDX-License-Identifier: Apache-2.0

// What the configuration makes the node do, and what is known about its runtime and its admission,
// both as they affect pods.
#include "lifecycle/in_hand.hpp"
#include "lifecycle/ledger/why.hpp"
#include "node/sandbox_config.hpp"
#include "tests/ledger/retaking_ledger.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

std::string variable(const cri::ContainerConfig& config, const std::string& name) {
  for (const auto& [key, value] : config.envs)
    if (key == name) return value;
  return "(not set)";
}

api::EnvVar field(const char* name, const char* path) {
  api::EnvVar made;
  made.name = name;
  made.valueFrom.emplace();
  made.valueFrom->fieldRef.emplace();
  made.valueFrom->fieldRef->fieldPath = path;
  return made;
}

TEST_F(PodSetTest, a_pod_behind_a_scheduling_gate_says_so_in_its_conditions) {
  auto gated = pod("u1", {container("main", {"sim"})});
  gated->spec.schedulingGates = {{.name = "example.com/later"}};
  gated->status.conditions = {
      {.type = "PodScheduled", .status = "False", .reason = "SchedulingGated"}};
  desire({gated});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Pending");
  EXPECT_EQ(status().reason, "NotSupported");
  ASSERT_EQ(status().conditions.size(), 1U);
  EXPECT_EQ(status().conditions[0].reason, "SchedulingGated");
  EXPECT_TRUE(runtime.instances().empty());
}

TEST_F(PodSetTest, no_restart_waits_longer_than_the_node_allows) {
  end_agent();
  options.restarts = restart_backoff_policy(15s);
  begin_agent();
  desire({pod("u1", {container("main", {"sim", "exit=1", "after=1000"})})});
  clock.advance(70s);
  std::vector<double> gaps;
  const auto& instances = runtime.instances();
  for (std::size_t i = 1; i < instances.size(); ++i)
    gaps.push_back(
        std::chrono::duration<double>(*instances[i].start_called - *instances[i - 1].exited)
            .count());
  ASSERT_EQ(gaps.size(), 5U);
  const double windows[] = {0, 10, 15, 15, 15};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(gaps[i], windows[i], 0.05);
}

// The longest window is measured from the exit, and a start is forgotten 600 s after it was made.
TEST_F(PodSetTest, a_start_of_ten_minutes_ago_holds_nothing_back) {
  desire({pod("u1", {container("main", {"sim", "exit=1", "after=400000"})})});
  clock.advance(4500s);
  std::vector<double> gaps;
  const auto& instances = runtime.instances();
  for (std::size_t i = 1; i < instances.size(); ++i)
    gaps.push_back(
        std::chrono::duration<double>(*instances[i].start_called - *instances[i - 1].exited)
            .count());
  const std::vector<double> windows = {0, 10, 20, 40, 80, 160, 200, 10};
  ASSERT_GE(gaps.size(), windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) EXPECT_NEAR(gaps[i], windows[i], 0.5) << i;
}

TEST_F(PodSetTest, a_dead_sandbox_is_collected_within_a_minute_of_its_last_container) {
  desire({pod("u1", {container("main", {"sim", "term=0"})})});
  clock.advance(5s);
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, true);
  clock.advance(60s);
  ASSERT_EQ(runtime.sandboxes().size(), 2U);
  EXPECT_FALSE(runtime.sandboxes()[0].removed) << "its container's last end is shown";
  runtime.container_ends(runtime.instances().at(1).id, 1);
  clock.advance(5s);
  EXPECT_TRUE(runtime.instances().at(0).removed) << "dead instances go when one more has died";
  EXPECT_FALSE(runtime.sandboxes()[0].removed);
  clock.advance(60s);
  EXPECT_TRUE(runtime.sandboxes()[0].stop_called);
  EXPECT_TRUE(runtime.sandboxes()[0].removed);
  EXPECT_FALSE(runtime.sandboxes()[1].removed);
  EXPECT_EQ(live(), 1);
}

TEST_F(PodSetTest, a_longer_wait_from_before_ends_when_the_node_allows_less) {
  const auto desired = pod("u1", {container("main", {"sim", "exit=1", "after=100"})});
  desire({desired});
  clock.advance(75s);  // the next start is due 80 s after the exit
  const auto starts = runtime.instances().size();
  end_agent();
  options.restarts = restart_backoff_policy(1s);
  begin_agent();
  desire({desired});
  clock.advance(1s);
  EXPECT_EQ(runtime.instances().size(), starts + 1);
}

class HookCounter final : public simulation::Witness {
 public:
  void hook_called(const simulation::Instance& /*instance*/, simulation::HookKind /*kind*/,
                   Nanoseconds /*takes*/) override {
    ++count;
  }
  int count = 0;
};

// A stop whose caller disconnects sends no KILL.
constexpr simulation::RuntimeFaults kAsContainerd{.stop_goes_on_alone = false};

api::LifecycleHandler hook(const simulation::Hook& wanted) {
  return {.exec = api::ExecAction{.command = simulation::write_hook(wanted)}};
}

// The container ignores TERM, so only the end of its grace period stops it.
class InterruptedStop : public PodSetTest {
 protected:
  // Returns the pod, as it is desired from then on.
  lifecycle::PodPtr begin_pod(TerminationOnRestart rule, api::Lifecycle lifecycle) {
    options.termination_on_restart = rule;
    begin_on({.faults = kAsContainerd, .witness = &hooks});
    auto made = pod("u1", {container("main", {"sim", "term=ignore"})});
    made->spec.containers[0].lifecycle = std::move(lifecycle);
    desire({made});
    return made;
  }
  void stop_and_restart(TerminationOnRestart rule) {
    begin_pod(rule, {.preStop = hook({.kind = simulation::HookKind::kPreStop, .takes = 1s})});
    clock.advance(1s);
    ordered = clock.steady_now();
    desire({});
    clock.advance(20s);
    end_agent();
    clock.advance(2s);
    begin_agent();
    restarted = clock.steady_now();
    desire({});
    clock.advance(1min);
  }
  [[nodiscard]] Nanoseconds killed_after(SteadyTime since) const {
    const auto& kill = rebooted->instances().front().first_kill;
    return kill ? *kill - since : Nanoseconds::max();
  }

  HookCounter hooks{};
  SteadyTime ordered{};
  SteadyTime restarted{};
};

TEST_F(InterruptedStop, goes_on_with_its_deadline) {
  stop_and_restart(TerminationOnRestart::kResume);
  EXPECT_NEAR(std::chrono::duration<double>(killed_after(ordered)).count(), 30, 1.5);
  EXPECT_EQ(hooks.count, 1);
}

TEST_F(InterruptedStop, has_the_whole_period_again_where_the_node_says_so) {
  stop_and_restart(TerminationOnRestart::kFullGrace);
  EXPECT_NEAR(std::chrono::duration<double>(killed_after(restarted)).count(), 30, 1.5);
  EXPECT_EQ(hooks.count, 2);
}

// A container whose postStart hook has failed is being stopped, and nothing else says that it must
// not run.
class InterruptedKill : public InterruptedStop {
 protected:
  void fail_hook_and_restart(TerminationOnRestart rule) {
    const auto made = begin_pod(
        rule, {.postStart =
                   hook({.kind = simulation::HookKind::kPostStart, .takes = 1s, .exit_code = 1})});
    clock.advance(10s);
    ASSERT_TRUE(rebooted->instances().front().first_stop_called);
    ordered = *rebooted->instances().front().first_stop_called;
    kill_agent();
    clock.advance(2s);
    begin_agent();
    restarted = clock.steady_now();
    desire({made});
    clock.advance(1min);
  }
};

TEST_F(InterruptedKill, of_a_failed_hook_goes_on_with_its_deadline) {
  fail_hook_and_restart(TerminationOnRestart::kResume);
  EXPECT_NEAR(std::chrono::duration<double>(killed_after(ordered)).count(), 30, 1.5);
}

TEST_F(InterruptedKill, of_a_failed_hook_has_the_whole_period_again_where_the_node_says_so) {
  fail_hook_and_restart(TerminationOnRestart::kFullGrace);
  EXPECT_NEAR(std::chrono::duration<double>(killed_after(restarted)).count(), 30, 1.5);
}

TEST_F(InterruptedStop, by_the_runtime_has_the_whole_period_again_as_well) {
  end_agent();
  options.termination_on_restart = TerminationOnRestart::kFullGrace;
  begin_agent();
  runtime.set_faults(kAsContainerd);
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(1s);
  desire({});
  clock.advance(20s);
  runtime.go_down();
  clock.advance(1s);
  runtime.come_up();
  restarted = clock.steady_now();
  clock.advance(1min);
  const auto& kill = runtime.instances().front().first_kill;
  ASSERT_TRUE(kill);
  EXPECT_NEAR(std::chrono::duration<double>(*kill - restarted).count(), 30, 6);
}

TEST_F(PodSetTest, the_environment_has_the_addresses_that_the_status_has) {
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.hostNetwork = true;
  made->spec.containers[0].env = {field("IP", "status.podIP"), field("IPS", "status.podIPs")};
  desire({made});
  clock.advance(1s);
  ASSERT_EQ(status().phase, "Running");
  EXPECT_EQ(status().podIP, "192.168.7.1");
  const auto& config = runtime.instances().front().config;
  EXPECT_EQ(variable(config, "IP"), "192.168.7.1");
  EXPECT_EQ(variable(config, "IPS"), "192.168.7.1");
}

TEST_F(PodSetTest, ids_of_containers_carry_the_runtimes_own_name) {
  begin_on({.name = "cri-o"});
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1s);
  ASSERT_EQ(rebooted->instances().size(), 1U);
  EXPECT_EQ(status().containerStatuses.at(0).containerID,
            "cri-o://" + rebooted->instances().front().id.str());
}

TEST_F(PodSetTest, what_runs_and_would_not_be_admitted_today_goes_on_and_is_named) {
  end_agent();
  node.labels = {{"disk", "ssd"}};
  begin_agent();
  auto made = pod("u1", {container("main", {"sim"})});
  made->spec.nodeSelector = {{"disk", "ssd"}};
  desire({made});
  clock.advance(1s);
  ASSERT_EQ(status().phase, "Running");
  EXPECT_TRUE(agent->pods().refused_today().empty());
  end_agent();
  node.labels = {{"disk", "hdd"}};
  begin_agent();
  desire({made});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Running");
  EXPECT_EQ(live(), 1);
  const auto refused = agent->pods().refused_today();
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].uid, "u1");
  EXPECT_EQ(refused[0].reason, "NodeAffinity");
  desire({});
  clock.advance(1ms);
  EXPECT_TRUE(agent->pods().refused_today().empty()) << "it is terminating anyway";
}

// A node with room for one pod that requests two CPUs.
class RoomTest : public PodSetTest {
 protected:
  void SetUp() override {
    node.cpus = 3;
    PodSetTest::SetUp();
  }
};

std::shared_ptr<api::Pod> asking(const char* uid, std::int32_t priority) {
  auto made = pod(uid, {container("main", {"sim"})});
  made->metadata.name = uid;
  made->spec.priority = priority;
  made->spec.preemptionPolicy = "Never";
  made->spec.containers[0].resources.requests["cpu"] = *api::Quantity::parse("2");
  return made;
}

TEST_F(RoomTest, a_new_pod_that_comes_with_a_restart_does_not_get_the_room_of_one_that_runs) {
  desire({asking("low", 1)});
  clock.advance(1s);
  ASSERT_EQ(live(), 1);
  end_agent();
  begin_agent();
  desire({asking("low", 1), asking("high", 2)});
  clock.advance(1s);
  EXPECT_EQ(live(), 1);
  for (const PodPtr& one : agent->pods().snapshot()) {
    const bool runs = one->metadata.uid == "low";
    EXPECT_EQ(one->status.phase, runs ? "Running" : "Failed") << one->metadata.uid;
    EXPECT_EQ(one->status.reason, runs ? "" : "OutOfcpu") << one->metadata.uid;
  }
}

TEST_F(RoomTest, nor_that_of_one_that_was_let_in_and_waits_for_its_volumes) {
  auto low = asking("low", 1);
  low->spec.volumes.push_back(
      {.name = "settings", .configMap = api::ConfigMapVolumeSource{.name = "missing"}});
  desire({low});
  clock.advance(1s);
  ASSERT_TRUE(runtime.sandboxes().empty());
  end_agent();
  begin_agent();
  desire({low, asking("high", 2)});
  clock.advance(1s);
  for (const PodPtr& one : agent->pods().snapshot())
    EXPECT_EQ(one->status.phase, one->metadata.uid == "low" ? "Pending" : "Failed");
}

TEST_F(RoomTest, what_runs_of_a_pod_that_is_not_run_here_has_its_room_and_is_stopped_with_it) {
  desire({asking("old", 1)});
  clock.advance(1s);
  ASSERT_EQ(live(), 1);
  end_agent();
  store.lose(false);
  begin_agent();
  auto held = asking("old", 1);
  held->spec.hostUsers = false;
  desire({held, asking("new", 2)});
  clock.advance(1s);
  EXPECT_EQ(live(), 1) << "there is no room for another";
  ASSERT_TRUE(agent->pods().delete_pod("default", "old", std::nullopt));
  clock.advance(1s);
  EXPECT_EQ(live(), 0);
  EXPECT_TRUE(runtime.instances()[0].first_term);
}

TEST_F(RoomTest, what_was_evicted_of_a_pod_that_is_not_run_here_stays_failed_over_a_restart) {
  desire({asking("old", 1)});
  clock.advance(1s);
  end_agent();
  store.lose(false);
  begin_agent();
  auto held = asking("old", 1);
  held->spec.hostUsers = false;
  desire({held});
  clock.advance(1s);
  ASSERT_EQ(status().phase, "Pending");
  ASSERT_TRUE(agent->pods().order("old", evicted("short of memory", 0s, clock.wall_now())));
  clock.advance(5s);
  ASSERT_EQ(status().phase, "Failed");
  end_agent();
  begin_agent();
  desire({held});
  clock.advance(1s);
  EXPECT_EQ(status().phase, "Failed");
  EXPECT_EQ(status().reason, "Evicted");
}

TEST_F(PodSetTest, of_pods_that_fit_together_no_more_the_least_important_is_named) {
  desire({asking("low", 1), asking("high", 2)});
  clock.advance(1s);
  ASSERT_EQ(live(), 2);
  EXPECT_TRUE(agent->pods().refused_today().empty());
  end_agent();
  node.cpus = 3;
  begin_agent();
  desire({asking("low", 1), asking("high", 2)});
  clock.advance(1s);
  EXPECT_EQ(live(), 2);
  const auto refused = agent->pods().refused_today();
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].uid, "low");
  EXPECT_EQ(refused[0].reason, "OutOfcpu");
}

TEST_F(PodSetTest, why_says_that_a_pod_was_taken_over_from_a_kubelet) {
  ledger_test::RetakingLedger records;
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(1s);
  end_agent();
  simulation::SimulatedStore fresh{loop.get_executor(), clock, {.trace = &trace}};
  stored_in = &fresh;
  ledger = &records;
  const auto adopted = pod("u1", {container("main", {"sim"})});
  adopted->metadata.annotations[node::kAnnotationAdopted] = "kubelet";
  for (int restart = 0; restart < 3; ++restart) {
    begin_agent();
    desire({adopted});
    clock.advance(1s);
    end_agent();
  }
  const std::vector<LedgerRecord> recorded(records.records().begin(), records.records().end());
  const Why story = why({.records = recorded, .pod = shown.last.get(), .now = clock.wall_now()});
  const std::string takeover =
      "the pod is taken over from a kubelet: it keeps its uid, no container restarts, and "
      "admission does not check it again";
  EXPECT_EQ(std::ranges::count(story.happened, takeover, &WhyLine::text), 1) << story.present;
  for (const WhyLine& line : story.happened) EXPECT_EQ(line.times, 1U) << line.text;
  stored_in = &store;
  spawn_and_drain(fresh.shutdown());
}

TEST_F(PodSetTest, what_was_created_and_never_started_does_not_push_out_how_its_container_ended) {
  auto main = container("main", {"sim", "exit=3", "after=100"});
  main.restartPolicy = "Never";
  main.restartPolicyRules = {
      {.action = "Restart",
       .exitCodes = api::ContainerRestartRuleOnExitCodes{.operator_ = "In", .values = {3}}}};
  desire({pod("u1", {main}, "Never")});
  clock.advance(2s);
  ASSERT_EQ(runtime.instances().size(), 2U);
  ASSERT_TRUE(runtime.instances().at(1).exited) << "it waits for its backoff";
  runtime.created_late(runtime.instances().at(1).id);
  runtime.sandbox_dies(runtime.sandboxes().at(0).id, true);
  clock.advance(3min);
  EXPECT_FALSE(runtime.instances().at(1).removed);
  EXPECT_EQ(runtime.sandboxes().size(), 1U) << "its policy forbids another one";
}

class OneDead final : public InHand {
 public:
  explicit OneDead(std::string uid) : uid_(std::move(uid)) {}
  void take(std::string_view) override {}
  void put_down() override {}
  [[nodiscard]] bool deadly(const std::string& key) const override { return key == uid_; }

 private:
  std::string uid_;
};

TEST_F(PodSetTest, a_pod_that_two_berthds_have_died_at_is_held_and_what_runs_of_it_stays) {
  auto other = pod("u2", {container("main", {"sim"})});
  other->metadata.name = "other";
  const auto web = pod("u1", {container("main", {"sim"})});
  desire({web});
  clock.advance(5s);
  ASSERT_EQ(live(), 1);
  end_agent();
  OneDead dead("u1");
  in_hand = &dead;
  begin_agent();
  desire({web, other});
  clock.advance(1min);
  EXPECT_EQ(live(), 2) << "the other one is started";
  const auto held = agent->pods().find("default", "web");
  EXPECT_EQ(held->status.phase, "Running") << "as it was";
  EXPECT_EQ(held->status.reason, "BerthdDied");
  EXPECT_EQ(agent->pods().find("default", "other")->status.phase, "Running");
  end_agent();
  in_hand = nullptr;
}

}  // namespace
}  // namespace berth::lifecycle
