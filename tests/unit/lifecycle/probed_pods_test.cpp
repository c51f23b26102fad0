// SPDX-License-Identifier: Apache-2.0

// The effect of probes on a pod: its readiness, its restarts, and what remains of both after a
// restart of berthd.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/worker/probes/probe_exchange.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using simulation::ProbeScript;
using simulation::write_probe;

constexpr ProbeScript kGood{};
constexpr ProbeScript kBad{.up = 0s, .down = 1h};
// Passes for the first ten minutes.
constexpr ProbeScript kGoodAtFirst{.up = 10min, .down = 1h};
// Passes after the first minute.
constexpr ProbeScript kGoodLater{.up = 1h, .down = 1min, .shift = 1h};

api::Probe probe(const char* type, const ProbeScript& script, int period = 1) {
  api::Probe made;
  made.exec = api::ExecAction{.command = {"probe", write_probe({"main", type, script})}};
  made.periodSeconds = period;
  made.timeoutSeconds = 1;
  made.successThreshold = 1;
  made.failureThreshold = 3;
  return made;
}

class PodProbesTest : public PodSetTest {
 protected:
  [[nodiscard]] const api::ContainerStatus& main_status() const {
    return status().containerStatuses.at(0);
  }
  [[nodiscard]] std::string ready_condition() const {
    const auto& all = status().conditions;
    const auto found = std::ranges::find(all, "Ready", &api::PodCondition::type);
    return found == all.end() ? "" : found->status;
  }
  [[nodiscard]] std::vector<std::string> notes(const char* action) const {
    return kept.texts(action);
  }
  std::shared_ptr<api::Pod> made = pod("u1", {container("main", {"sim"})});
  api::Container& main = made->spec.containers[0];
};

TEST_F(PodProbesTest, a_pod_is_ready_as_soon_as_its_readiness_probe_has_passed) {
  main.readinessProbe = probe("readiness", kGood, 10);
  desire({made});
  clock.advance(200ms);
  EXPECT_TRUE(main_status().ready);
  EXPECT_EQ(ready_condition(), "True");
}

TEST_F(PodProbesTest, a_pod_whose_readiness_fails_is_not_ready_and_not_restarted) {
  main.readinessProbe = probe("readiness", kBad);
  desire({made});
  clock.advance(1min);
  EXPECT_FALSE(main_status().ready);
  EXPECT_EQ(ready_condition(), "False");
  EXPECT_EQ(main_status().restartCount, 0);
}

TEST_F(PodProbesTest, readiness_goes_and_comes_with_its_answers) {
  main.readinessProbe = probe("readiness", {.up = 30s, .down = 10s});
  desire({made});
  clock.advance(29s);
  EXPECT_TRUE(main_status().ready);
  clock.advance(4500ms);  // three failures
  EXPECT_FALSE(main_status().ready);
  clock.advance(8s);
  EXPECT_TRUE(main_status().ready);
}

TEST_F(PodProbesTest, a_container_whose_liveness_fails_is_restarted_after_as_many_failures) {
  main.livenessProbe = probe("liveness", kGoodAtFirst);
  main.livenessProbe->terminationGracePeriodSeconds = 7;
  main.command = {"sim", "term=ignore"};
  desire({made});
  clock.advance(10min + 1500ms);
  ASSERT_EQ(runtime.instances().size(), 1U);
  EXPECT_FALSE(runtime.instances()[0].first_stop_called);
  clock.advance(1500ms);
  ASSERT_TRUE(runtime.instances()[0].first_stop_called);
  clock.advance(8s);
  ASSERT_EQ(runtime.instances().size(), 2U);
  const auto& first = runtime.instances()[0];
  EXPECT_EQ(*first.first_kill - *first.first_term, 7s) << "the probe's own grace period";
  EXPECT_EQ(main_status().restartCount, 1);
  ASSERT_FALSE(notes("Probe").empty());
  EXPECT_NE(notes("Probe").front().find("its liveness probe failed 3 of 3"), std::string::npos)
      << notes("Probe").front();
}

TEST_F(PodProbesTest, liveness_waits_until_startup_has_passed) {
  main.startupProbe = probe("startup", kGoodLater, 5);
  main.startupProbe->failureThreshold = 60;
  main.livenessProbe = probe("liveness", kBad);
  main.readinessProbe = probe("readiness", kGood);
  desire({made});
  clock.advance(59s);
  EXPECT_EQ(main_status().started, false);
  EXPECT_FALSE(main_status().ready);
  EXPECT_FALSE(runtime.instances()[0].first_stop_called);
  clock.advance(2s);
  EXPECT_EQ(main_status().started, true);
  EXPECT_TRUE(main_status().ready);
  clock.advance(5s);
  EXPECT_TRUE(runtime.instances()[0].first_stop_called);
}

TEST_F(PodProbesTest, a_sidecar_whose_startup_has_not_passed_holds_back_the_others) {
  auto sidecar = container("side", {"sim"});
  sidecar.restartPolicy = "Always";
  sidecar.startupProbe = probe("startup", kGoodLater);
  sidecar.startupProbe->failureThreshold = 600;
  made->spec.initContainers.push_back(sidecar);
  desire({made});
  clock.advance(59s);
  EXPECT_EQ(live(), 1);
  clock.advance(2s);
  EXPECT_EQ(live(), 2);
}

TEST_F(PodProbesTest, readiness_does_not_flap_when_berthd_is_restarted) {
  main.startupProbe = probe("startup", kGood);
  main.readinessProbe = probe("readiness", {.up = 50s, .down = 1h}, 60);
  main.livenessProbe = probe("liveness", kGood);
  desire({made});
  clock.advance(10s);
  ASSERT_TRUE(main_status().ready);
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(20s);
  EXPECT_TRUE(main_status().ready);
  EXPECT_EQ(main_status().started, true);
  clock.advance(4min);
  EXPECT_FALSE(main_status().ready) << "until a probe says otherwise";
}

TEST_F(PodProbesTest, what_was_not_ready_is_not_ready_after_a_restart_of_berthd) {
  main.readinessProbe = probe("readiness", kBad, 60);
  desire({made});
  clock.advance(10s);
  end_agent();
  begin_agent();
  desire({made});
  clock.advance(10s);
  EXPECT_FALSE(main_status().ready);
}

TEST_F(PodProbesTest, readiness_goes_on_while_the_pod_is_stopped_and_liveness_does_not) {
  main.readinessProbe = probe("readiness", {.up = 20s, .down = 1h});
  main.livenessProbe = probe("liveness", kGood);
  main.command = {"sim", "term=ignore"};
  desire({made});
  clock.advance(10s);
  ASSERT_TRUE(main_status().ready);
  desire({});
  clock.advance(15s);
  EXPECT_FALSE(main_status().ready);
  for (const auto& view : agent->pods().prober().views("u1")) {
    const bool readiness = view.type == probes::ProbeType::kReadiness;
    EXPECT_EQ(view.waits_for.empty(), readiness) << view.waits_for;
  }
  clock.advance(1min);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_EQ(agent->pods().prober().counts().probes, 0U);
}

TEST_F(PodProbesTest, a_container_is_not_probed_while_its_post_start_hook_runs) {
  api::LifecycleHandler hook;
  hook.exec = api::ExecAction{
      .command = simulation::write_hook({.kind = simulation::HookKind::kPostStart, .takes = 20s})};
  main.lifecycle = api::Lifecycle{.postStart = hook};
  main.livenessProbe = probe("liveness", kBad);
  desire({made});
  clock.advance(19s);
  EXPECT_FALSE(runtime.instances()[0].first_stop_called);
  EXPECT_EQ(agent->pods().prober().counts().runs, 0U);
  clock.advance(2s);
  EXPECT_GT(agent->pods().prober().counts().runs, 0U);
}

TEST(ProbeExchange, what_is_adopted_running_is_believed_to_have_passed) {
  auto probed = pod("u1", {container("main", {"sim"})});
  probed->spec.containers[0].readinessProbe = probe("readiness", kGood);
  probed->spec.containers[0].livenessProbe = probe("liveness", kGood);
  RuntimePod runtime;
  runtime.containers.push_back(
      {.id = cri::ContainerId("c1"), .name = "main", .state = cri::ContainerState::kRunning});
  const auto adopted = results_to_go_on_from(*probed, runtime, {}, true);
  ASSERT_EQ(adopted.size(), 2U);
  EXPECT_EQ(adopted[0].result, probes::ProbeResult::kSuccess);
  EXPECT_TRUE(results_to_go_on_from(*probed, runtime, {}, false).empty())
      << "the store knows the pod, and of no result";
  ProbeResults stored;
  stored.readiness[cri::ContainerId("c0")] = ProbeResult::kSuccess;
  EXPECT_TRUE(results_to_go_on_from(*probed, runtime, stored, false).empty())
      << "the result of another container";
}

TEST(ProbeExchange, a_container_that_was_only_created_is_not_there_yet) {
  RuntimePod runtime;
  runtime.containers.push_back(
      {.id = cri::ContainerId("c2"), .name = "main", .state = cri::ContainerState::kCreated});
  runtime.containers.push_back(
      {.id = cri::ContainerId("c1"), .name = "main", .state = cri::ContainerState::kExited});
  const auto seen = seen_pod(runtime, {}, false);
  ASSERT_EQ(seen.containers.size(), 1U);
  EXPECT_TRUE(seen.containers[0].id.empty());
}

}  // namespace
}  // namespace berth::lifecycle
