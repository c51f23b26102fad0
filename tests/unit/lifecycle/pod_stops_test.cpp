// SPDX-License-Identifier: Apache-2.0

// Stops that meet an obstacle: an order to end the pod, a runtime that refuses, a store that is
// slow.
#include <gtest/gtest.h>

#include "tests/simulation/container_program.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using simulation::Hook;
using simulation::HookKind;

class PodStops : public PodSetTest {
 protected:
  // A container whose hook fails after a second, so that it alone is killed.
  static api::Container failing(const char* name, std::vector<std::string> command) {
    api::Container made = container(name, std::move(command));
    const Hook hook{.kind = HookKind::kPostStart, .takes = 1s, .exit_code = 1};
    made.lifecycle = api::Lifecycle{
        .postStart = api::LifecycleHandler{.exec = api::ExecAction{.command = write_hook(hook)}}};
    return made;
  }

  [[nodiscard]] const simulation::Instance& instance(std::size_t index) const {
    return runtime.instances().at(index);
  }
  // The first that begins so; empty if there is none.
  [[nodiscard]] std::string event(std::string_view beginning) const {
    for (const std::string& text : recorded_events.texts)
      if (text.starts_with(beginning)) return text;
    return {};
  }
  void end_with(std::chrono::seconds grace) {
    EXPECT_TRUE(agent->pods().delete_pod("default", "web", grace).has_value());
  }
};

TEST_F(PodStops, a_first_order_to_end_shortens_a_kill_that_is_under_way) {
  desire({pod("u1", {failing("main", {"sim", "term=ignore"})})});
  clock.advance(5s);
  ASSERT_TRUE(instance(0).first_term);
  EXPECT_EQ(live(), 1) << "it has its 30 s";
  end_with(1s);
  clock.advance(2500ms);
  EXPECT_FALSE(instance(0).live());
}

TEST_F(PodStops, an_order_to_end_does_not_lengthen_a_kill_that_is_under_way) {
  auto one = pod("u1", {failing("main", {"sim", "term=ignore"})});
  one->spec.terminationGracePeriodSeconds = 6;
  desire({one});
  clock.advance(3s);
  ASSERT_TRUE(instance(0).first_term);
  end_with(60s);
  clock.advance(5s);
  EXPECT_FALSE(instance(0).live());
}

TEST_F(PodStops, an_order_that_finds_a_stop_waiting_for_the_store_gives_its_own_period) {
  begin_a_stop_that_waits_for_the_store();
  end_with(20s);
  clock.advance(19s);
  EXPECT_TRUE(instance(0).first_term);
  EXPECT_TRUE(instance(0).live()) << "nothing had reached it when the order came";
  clock.advance(3s);
  EXPECT_FALSE(instance(0).live());
}

TEST_F(PodStops, a_stop_waits_for_a_disk_that_hangs_for_a_second_at_most) {
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(2s);
  store.set_latency({20s, 20s});
  end_with(5s);
  clock.advance(900ms);
  ASSERT_FALSE(instance(0).first_stop_called) << "it waits for the store";
  clock.advance(300ms);
  EXPECT_TRUE(instance(0).first_stop_called);
}

TEST_F(PodStops, a_sidecar_does_not_wait_for_a_start_of_which_nobody_knows_the_outcome) {
  auto one = pod("u1", {container("main", {"sim"})});
  auto sidecar = container("side", {"sim", "term=ignore"});
  sidecar.restartPolicy = "Always";
  one->spec.initContainers = {sidecar};
  desire({one});
  while (runtime.instances().size() < 2) clock.advance(1ms);
  runtime.set_faults({.stalled = 1000});
  clock.advance(5ms);  // main's start is called
  runtime.set_faults({});
  ASSERT_TRUE(instance(1).start_called);
  desire({});
  while (!instance(0).first_term) clock.advance(100ms);
  const SteadyTime termed = *instance(0).first_term;
  clock.advance(32s);
  ASSERT_TRUE(instance(0).exited);
  EXPECT_NEAR(std::chrono::duration<double>(*instance(0).exited - termed).count(), 30, 0.5);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
}

TEST_F(PodStops, what_cannot_be_stopped_ends_with_its_sandbox_once_its_period_is_over) {
  desire({pod("u1", {container("main", {"sim"}), container("other", {"sim"})})});
  clock.advance(2s);
  runtime.refuse_stop(instance(0).id);
  desire({});
  clock.advance(29s);
  EXPECT_TRUE(instance(0).live());
  EXPECT_FALSE(instance(1).live());
  const auto held = agent->pods().held();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].obstacle.kind, ObstacleKind::kStop);
  EXPECT_EQ(held[0].obstacle.container, "main");
  clock.advance(3s);
  EXPECT_FALSE(instance(0).live());
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_TRUE(agent->pods().held().empty());
}

TEST_F(PodStops, a_stop_that_fails_while_the_pod_ends_is_an_event_in_the_kubelets_words) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(2s);
  runtime.refuse_stop(instance(0).id);
  desire({});
  clock.advance(5s);
  const std::string text = event("FailedKillPod: ");
  EXPECT_TRUE(
      text.starts_with("FailedKillPod: error killing pod: failed to \"KillContainer\" for "
                       "\"main\" with KillContainerError: \""))
      << text;
  EXPECT_EQ(text.find("StopContainer: "), std::string::npos) << "the call has no place in it";
}

TEST_F(PodStops, a_stop_that_fails_while_the_pod_lives_on_is_no_event_of_its_end) {
  desire({pod("u1", {failing("main", {"sim", "term=100"}), container("other", {"sim"})})});
  clock.advance(500ms);
  runtime.refuse_stop(instance(0).id);
  clock.advance(3s);
  ASSERT_FALSE(agent->pods().held().empty()) << "it failed";
  EXPECT_EQ(event("FailedKillPod: "), "");
}

TEST_F(PodStops, a_shorter_period_that_the_runtime_refused_is_asked_for_again) {
  desire({pod("u1", {container("main", {"sim", "term=ignore"})})});
  clock.advance(2s);
  desire({});
  clock.advance(1s);
  ASSERT_TRUE(instance(0).first_term);
  runtime.refuse_stop(instance(0).id);
  end_with(4s);
  clock.advance(2s);
  runtime.refuse_stop(instance(0).id, false);
  clock.advance(8s);
  EXPECT_FALSE(instance(0).live()) << "the first call alone would let it run for 30 s";
}

TEST_F(PodStops, and_so_is_one_that_was_refused_before_the_pod_began_to_end) {
  desire({pod("u1", {failing("main", {"sim", "term=ignore"})})});
  clock.advance(5s);
  ASSERT_TRUE(instance(0).first_term);
  store.set_latency({600ms, 600ms});
  runtime.refuse_stop(instance(0).id);
  end_with(4s);
  clock.advance(2s);
  runtime.refuse_stop(instance(0).id, false);
  clock.advance(8s);
  EXPECT_FALSE(instance(0).live()) << "the first call alone would let it run for 30 s";
}

TEST_F(PodStops, one_whose_hook_and_stop_failed_holds_up_nobody_and_is_stopped_again) {
  desire({pod("u1", {failing("main", {"sim", "term=100"}), container("other", {"sim"})})});
  clock.advance(500ms);
  runtime.refuse_stop(instance(0).id);
  clock.advance(3s);
  ASSERT_EQ(runtime.instances().size(), 2U);
  EXPECT_EQ(instance(1).name, "other");
  EXPECT_EQ(live(), 2);
  clock.advance(60s);
  EXPECT_EQ(live(), 2);
  runtime.refuse_stop(instance(0).id, false);
  clock.advance(11s);
  EXPECT_FALSE(instance(0).live()) << "as what its hook could not prepare";
  clock.advance(30s);
  EXPECT_TRUE(instance(1).live());
  EXPECT_GT(runtime.instances().size(), 2U) << "it was started again";
}

TEST_F(PodStops, a_removal_that_the_runtime_refuses_is_reported_until_it_succeeds) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(2s);
  const auto sandbox = runtime.sandboxes().at(0).id;
  runtime.refuse_removal(sandbox, "cannot delete running task " + instance(0).id.str());
  desire({});
  clock.advance(1min);
  EXPECT_TRUE(shown.gone.empty());
  const auto held = agent->pods().held();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].pod->metadata.uid, "u1");
  EXPECT_EQ(held[0].obstacle.kind, ObstacleKind::kRemoval);
  EXPECT_EQ(held[0].obstacle.id, sandbox.str());
  EXPECT_EQ(kept.texts("Hindered").size(), 1U);
  runtime.refuse_removal(sandbox, "");
  clock.advance(11s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_TRUE(agent->pods().held().empty());
}

TEST_F(PodStops, what_a_pod_had_on_the_node_and_cannot_be_removed_is_reported_once) {
  desire({pod("u1", {container("main", {"sim"})})});
  clock.advance(2s);
  host.set_fails(1000);
  desire({});
  clock.advance(2min);
  EXPECT_TRUE(shown.gone.empty());
  const auto held = agent->pods().held();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].obstacle.kind, ObstacleKind::kCleanup);
  EXPECT_EQ(kept.texts("Hindered").size(), 1U);
  host.set_fails(0);
  clock.advance(11s);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_TRUE(agent->pods().held().empty());
}

TEST_F(PodStops, a_final_phase_is_shown_once_the_store_has_it_and_no_sooner) {
  desire({pod("u1", {container("main", {"sim", "exit=0", "after=2000"})}, "Never")});
  clock.advance(1s);
  store.set_full(true);
  clock.advance(1min);
  EXPECT_EQ(live(), 0);
  EXPECT_TRUE(runtime.sandboxes().at(0).died) << "what is left to stop does not wait";
  EXPECT_EQ(status().phase, "Running");
  const auto held = agent->pods().held();
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].obstacle.kind, ObstacleKind::kFinalPhase);
  EXPECT_EQ(held[0].obstacle.error, "database or disk is full");
  store.set_full(false);
  clock.advance(11s);
  EXPECT_EQ(status().phase, "Succeeded");
  EXPECT_EQ(store.rows().at("u1")->verdict, Verdict::kCompleted);
  EXPECT_TRUE(agent->pods().held().empty());
}

TEST_F(PodStops, a_final_phase_waits_for_a_disk_that_hangs_and_comes_with_its_answer) {
  desire({pod("u1", {container("main", {"sim", "exit=1", "after=2000"})}, "Never")});
  clock.advance(1s);
  store.set_latency({20s, 20s});
  clock.advance(15s);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(status().phase, "Running");
  store.set_latency({1ms, 1ms});
  clock.advance(41s);
  EXPECT_EQ(status().phase, "Failed");
}

}  // namespace
}  // namespace berth::lifecycle
