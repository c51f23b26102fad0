// SPDX-License-Identifier: Apache-2.0

// What the recorded decisions do not cover: the rules one by one, and their reasons.
#include "lifecycle/pod_actions.hpp"

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using Indexes = std::vector<std::size_t>;

PodActions actions(const api::Pod& spec, const RuntimePod& shown, const ProbeResults& probes = {},
                   const FeatureOptions& options = {}) {
  const ActuatedResources actuated = actuated_as_specified(spec);
  return compute_pod_actions(
      {.pod = spec, .runtime = shown, .probes = probes, .actuated = actuated, .options = options});
}

api::Pod initialised_pod(std::string policy = "Always") {
  api::Pod out = pod({container("app")}, std::move(policy));
  out.spec.initContainers = {container("setup"), sidecar("proxy")};
  return out;
}

TEST(PodActions, a_new_pod_gets_a_sandbox_and_its_first_init_container) {
  const PodActions out = actions(initialised_pod(), {});
  EXPECT_TRUE(out.create_sandbox);
  EXPECT_EQ(out.init_containers_to_start, Indexes{0});
  EXPECT_TRUE(out.containers_to_start.empty());
}

TEST(PodActions, a_sidecar_follows_a_completed_init_container) {
  const PodActions out = actions(initialised_pod(), runtime({exited("setup", 0)}));
  EXPECT_EQ(out.init_containers_to_start, Indexes{1});
  EXPECT_TRUE(out.containers_to_start.empty());
}

TEST(PodActions, regular_containers_follow_a_started_sidecar) {
  const PodActions out =
      actions(initialised_pod(), runtime({running("proxy"), exited("setup", 0)}));
  EXPECT_EQ(out.containers_to_start, Indexes{0});
}

TEST(PodActions, a_startup_probe_of_a_sidecar_holds_back_what_follows) {
  api::Pod spec = initialised_pod();
  spec.spec.initContainers[1].startupProbe.emplace();
  const RuntimePod shown = runtime({running("proxy"), exited("setup", 0)});
  EXPECT_TRUE(is_idle(actions(spec, shown)));
  const cri::ContainerId id{"proxy-id"};
  EXPECT_EQ(actions(spec, shown, {.startup = {{id, ProbeResult::kSuccess}}}).containers_to_start,
            Indexes{0});
  const PodActions failed = actions(spec, shown, {.startup = {{id, ProbeResult::kFailure}}});
  ASSERT_EQ(failed.containers_to_kill.size(), 1U);
  EXPECT_EQ(failed.containers_to_kill[0].reason, KillReason::kStartupProbe);
  EXPECT_EQ(failed.init_containers_to_start, Indexes{1});
}

TEST(PodActions, a_failed_init_container_ends_a_run_once_pod) {
  const PodActions out = actions(initialised_pod("Never"), runtime({exited("setup", 3)}));
  EXPECT_TRUE(out.kill_pod);
  EXPECT_FALSE(out.create_sandbox);
  EXPECT_TRUE(out.init_containers_to_start.empty());
}

TEST(PodActions, an_init_container_killed_for_memory_has_failed_even_with_exit_code_zero) {
  RuntimeContainer oom = exited("setup", 0);
  oom.reason = "OOMKilled";
  EXPECT_TRUE(actions(initialised_pod("Never"), runtime({oom})).kill_pod);
  EXPECT_EQ(actions(initialised_pod("OnFailure"), runtime({oom})).init_containers_to_start,
            Indexes{0});
}

TEST(PodActions, a_sidecar_alone_does_not_keep_a_pod_alive) {
  const PodActions out = actions(initialised_pod("Never"),
                                 runtime({exited("app", 0), running("proxy"), exited("setup", 0)}));
  EXPECT_TRUE(out.kill_pod);
  EXPECT_TRUE(out.init_containers_to_start.empty());
}

TEST(PodActions, a_run_once_pod_does_not_get_a_second_sandbox) {
  RuntimePod shown = runtime({exited("app", 1)});
  shown.sandboxes[0].state = cri::SandboxState::kNotReady;
  const PodActions out = actions(pod({container("app")}, "Never"), shown);
  EXPECT_TRUE(out.kill_pod);
  EXPECT_FALSE(out.create_sandbox);
}

TEST(PodActions, exit_codes_and_policies) {
  struct Row {
    const char* policy;
    std::int32_t exit_code;
    bool restarts;
  };
  for (const Row& row :
       {Row{"Always", 0, true}, Row{"Always", 1, true}, Row{"OnFailure", 0, false},
        Row{"OnFailure", 1, true}, Row{"Never", 0, false}, Row{"Never", 1, false}}) {
    const PodActions out =
        actions(pod({container("app")}, row.policy), runtime({exited("app", row.exit_code)}));
    EXPECT_EQ(!out.containers_to_start.empty(), row.restarts) << row.policy << row.exit_code;
    EXPECT_EQ(out.kill_pod, !row.restarts) << row.policy << row.exit_code;
  }
}

TEST(PodActions, a_deleted_pod_gets_no_restarts) {
  api::Pod spec = pod({container("app")});
  spec.metadata.deletionTimestamp = api::Time{at(0)};
  EXPECT_TRUE(actions(spec, runtime({exited("app", 1)})).containers_to_start.empty());
}

TEST(PodActions, a_changed_image_restarts_even_a_run_once_container) {
  RuntimeContainer changed = running("app");
  changed.spec_changed = true;
  const PodActions out = actions(pod({container("app")}, "Never"), runtime({changed}));
  ASSERT_EQ(out.containers_to_kill.size(), 1U);
  EXPECT_EQ(out.containers_to_kill[0].message,
            "Container app definition changed, will be restarted");
  EXPECT_EQ(out.containers_to_start, Indexes{0});
}

TEST(PodActions, every_action_has_a_reason) {
  RuntimeContainer unknown = record("app", cri::ContainerState::kUnknown);
  const PodActions out = actions(pod({container("app")}), runtime({unknown}));
  ASSERT_EQ(out.reasons.size(), 1U);
  EXPECT_EQ(out.reasons[0].subject, "app");
  EXPECT_EQ(out.reasons[0].rule, "StateUnknown");
}

TEST(PodActions, restart_rules_of_a_container_count_only_with_their_feature) {
  api::Pod spec = pod({container("app")}, "Never");
  spec.spec.containers[0].restartPolicy = "Never";
  spec.spec.containers[0].restartPolicyRules = {api::ContainerRestartRule{
      .action = "Restart",
      .exitCodes = api::ContainerRestartRuleOnExitCodes{.operator_ = "In", .values = {42}}}};
  const RuntimePod shown = runtime({exited("app", 42)});
  EXPECT_TRUE(
      actions(spec, shown, {}, {.container_restart_rules = false}).containers_to_start.empty());
  EXPECT_EQ(actions(spec, shown).containers_to_start, Indexes{0});
}

}  // namespace
}  // namespace berth::lifecycle::test
