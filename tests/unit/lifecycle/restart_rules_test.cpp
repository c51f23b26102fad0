// SPDX-License-Identifier: Apache-2.0

// Containers with their own restart policy or rules: which are restarted, when the pod is over, and
// what is shown.
#include <gtest/gtest.h>

#include "lifecycle/pod_actions.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/restart_policy.hpp"
#include "lifecycle/status/container_statuses.hpp"
#include "lifecycle/status/phase.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using Indexes = std::vector<std::size_t>;

constexpr FeatureOptions kOff{.container_restart_rules = false};

api::ContainerRestartRule rule(const char* operator_, std::vector<std::int32_t> codes) {
  return {.action = "Restart",
          .exitCodes = api::ContainerRestartRuleOnExitCodes{.operator_ = operator_,
                                                            .values = std::move(codes)}};
}

api::Container own(std::string name, const char* policy,
                   std::vector<api::ContainerRestartRule> rules = {}) {
  api::Container out = container(std::move(name));
  out.restartPolicy = policy;
  out.restartPolicyRules = std::move(rules);
  return out;
}

PodActions actions(const api::Pod& spec, const RuntimePod& shown, const ProbeResults& probes = {},
                   const FeatureOptions& options = {}) {
  const ActuatedResources actuated = actuated_as_specified(spec);
  return compute_pod_actions(
      {.pod = spec, .runtime = shown, .probes = probes, .actuated = actuated, .options = options});
}

TEST(RestartRules, the_first_matching_rule_restarts_else_the_containers_policy_else_the_pods) {
  struct Row {
    const char* pod_policy;
    api::Container container;
    std::int32_t exit_code;
    bool restarts;
    bool without_feature;
  };
  const auto in_3_42 = rule("In", {3, 42});
  const auto not_in_1 = rule("NotIn", {1});
  const std::vector<Row> rows = {
      {"Never", container("app"), 1, false, false},
      {"OnFailure", container("app"), 1, true, true},
      {"Never", own("app", "Always"), 0, true, false},
      {"Never", own("app", "OnFailure"), 0, false, false},
      {"Never", own("app", "OnFailure"), 7, true, false},
      {"Always", own("app", "Never"), 7, false, true},
      {"Always", own("app", "OnFailure"), 0, false, true},
      {"Never", own("app", "Never", {in_3_42}), 42, true, false},
      {"Never", own("app", "Never", {in_3_42}), 4, false, false},
      {"Never", own("app", "OnFailure", {in_3_42}), 4, true, false},
      {"Always", own("app", "Never", {not_in_1}), 1, false, true},
      {"Always", own("app", "Never", {not_in_1}), 0, true, true},
      {"Always", own("app", "Never", {rule("In", {})}), 0, false, true},
      {"Always", own("app", "Never", {rule("NotIn", {})}), 0, true, true},
      {"Never", own("app", "Never", {in_3_42, not_in_1}), 4, true, false},
  };
  for (const Row& row : rows) {
    const api::Pod spec = pod({row.container}, row.pod_policy);
    const RestartRules rules = restart_rules(row.container);
    SCOPED_TRACE(std::string(row.pod_policy) + " " + row.container.restartPolicy.value_or("-") +
                 " " + std::to_string(row.exit_code));
    EXPECT_EQ(restarts_after_exit(spec, rules, row.exit_code, {}), row.restarts);
    EXPECT_EQ(restarts_after_exit(spec, rules, row.exit_code, kOff), row.without_feature);
    const PodActions out = actions(spec, runtime({exited("app", row.exit_code)}));
    EXPECT_EQ(out.containers_to_start, row.restarts ? Indexes{0} : Indexes{});
    EXPECT_EQ(out.kill_pod, !row.restarts);
  }
}

TEST(RestartRules, a_rule_whose_action_is_another_is_passed_over) {
  api::Container app = own("app", "Never", {rule("In", {1})});
  app.restartPolicyRules[0].action = "RestartAllContainers";  // an action of later versions
  EXPECT_FALSE(restarts_after_exit(pod({app}), restart_rules(app), 1, {}));
}

TEST(RestartRules, a_failed_probe_has_no_exit_code_so_the_containers_policy_alone_decides) {
  struct Row {
    const char* pod_policy;
    api::Container container;
    bool restarts;
  };
  for (const Row& row :
       {Row{"Never", own("app", "Always"), true}, Row{"Always", own("app", "Never"), false},
        Row{"Always", own("app", "Never", {rule("NotIn", {})}), false},
        Row{"Never", own("app", "OnFailure"), true}}) {
    api::Pod spec = pod({row.container, container("other")}, row.pod_policy);
    spec.spec.containers[0].livenessProbe.emplace();
    const cri::ContainerId id{"app-id"};
    const PodActions out = actions(spec, runtime({running("app"), running("other")}),
                                   {.liveness = {{id, ProbeResult::kFailure}}});
    ASSERT_EQ(out.containers_to_kill.size(), 1U);
    EXPECT_EQ(out.containers_to_start, row.restarts ? Indexes{0} : Indexes{});
    EXPECT_EQ(out.containers_to_kill[0].message,
              row.restarts ? "Container app failed liveness probe, will be restarted"
                           : "Container app failed liveness probe");
  }
}

TEST(RestartRules, a_new_sandbox_leaves_out_who_succeeded_and_restarts_on_failure_only) {
  api::Pod spec = pod({own("done", "OnFailure"), own("again", "Always")}, "Always");
  RuntimePod shown = runtime({exited("done", 0), exited("again", 0)});
  shown.sandboxes[0].state = cri::SandboxState::kNotReady;
  EXPECT_EQ(actions(spec, shown).containers_to_start, Indexes{1});
  EXPECT_EQ(actions(spec, shown, {}, kOff).containers_to_start, (Indexes{0, 1}));
}

TEST(RestartRules, a_new_sandbox_starts_who_succeeded_where_a_rule_wants_it_again) {
  api::Pod spec = pod({own("again", "OnFailure", {rule("In", {0})})}, "OnFailure");
  RuntimePod shown = runtime({exited("again", 0)});
  shown.sandboxes[0].state = cri::SandboxState::kNotReady;
  EXPECT_EQ(actions(spec, shown).containers_to_start, Indexes{0});
  EXPECT_TRUE(actions(spec, shown).create_sandbox);
}

TEST(RestartRules, a_run_once_pod_gets_no_second_sandbox_whatever_its_containers_say) {
  const api::Pod spec = pod({own("app", "Always")}, "Never");
  RuntimePod shown = runtime({exited("app", 0)});
  shown.sandboxes[0].state = cri::SandboxState::kNotReady;
  const PodActions out = actions(spec, shown);
  EXPECT_TRUE(out.kill_pod);
  EXPECT_FALSE(out.create_sandbox);
}

TEST(RestartRules, an_init_containers_own_rules_decide_whether_its_failure_is_the_pods) {
  struct Row {
    const char* pod_policy;
    api::Container init;
    std::int32_t exit_code;
    bool tried_again;
  };
  for (const Row& row : {Row{"Never", own("setup", "OnFailure"), 1, true},
                         Row{"Always", own("setup", "Never"), 1, false},
                         Row{"Always", own("setup", "Never", {rule("In", {1})}), 1, true},
                         Row{"Never", own("setup", "Never", {rule("NotIn", {1})}), 1, false}}) {
    api::Pod spec = pod({container("app")}, row.pod_policy);
    spec.spec.initContainers = {row.init};
    const PodActions out = actions(spec, runtime({exited("setup", row.exit_code)}));
    EXPECT_EQ(out.init_containers_to_start, row.tried_again ? Indexes{0} : Indexes{});
    EXPECT_EQ(out.kill_pod, !row.tried_again);
    api::ContainerStatus failed{.name = "setup"};
    failed.state.terminated.emplace().exitCode = row.exit_code;
    const std::vector<api::ContainerStatus> statuses = {failed};
    EXPECT_EQ(compute_phase({.pod = spec, .statuses = statuses}),
              row.tried_again ? "Pending" : "Failed");
  }
}

TEST(RestartRules, an_init_container_in_an_unknown_state_ends_the_pod_only_if_it_never_restarts) {
  for (const bool never : {true, false}) {
    api::Pod spec = pod({container("app")}, never ? "Always" : "Never");
    spec.spec.initContainers = {own("setup", never ? "Never" : "OnFailure")};
    const PodActions out = actions(spec, runtime({record("setup", cri::ContainerState::kUnknown)}));
    EXPECT_EQ(out.kill_pod, never);
    EXPECT_EQ(out.init_containers_to_start, never ? Indexes{} : Indexes{0});
  }
}

api::ContainerStatus ended(const char* name, std::int32_t code) {
  api::ContainerStatus out{.name = name};
  out.state.terminated.emplace().exitCode = code;
  return out;
}

TEST(RestartRules, a_stopped_pod_runs_on_while_any_container_may_come_back) {
  struct Row {
    const char* pod_policy;
    std::vector<api::Container> containers;
    std::vector<std::int32_t> codes;
    const char* phase;
    const char* without_feature;
  };
  const std::vector<Row> rows = {
      {"Never", {own("a", "Always"), container("b")}, {0, 0}, "Running", "Succeeded"},
      {"Never",
       {own("a", "Never", {rule("In", {9})}), container("b")},
       {9, 0},
       "Running",
       "Failed"},
      {"Never", {own("a", "Never", {rule("In", {9})}), container("b")}, {1, 0}, "Failed", "Failed"},
      {"Always", {own("a", "Never"), own("b", "Never")}, {0, 0}, "Succeeded", "Running"},
      {"Always", {own("a", "Never"), own("b", "OnFailure")}, {1, 0}, "Failed", "Running"},
      {"Always", {own("a", "Never"), container("b")}, {1, 0}, "Running", "Running"},
      {"OnFailure", {own("a", "Never"), container("b")}, {1, 0}, "Failed", "Running"},
  };
  for (const Row& row : rows) {
    const api::Pod spec = pod(row.containers, row.pod_policy);
    std::vector<api::ContainerStatus> statuses = {ended("a", row.codes[0]),
                                                  ended("b", row.codes[1])};
    SCOPED_TRACE(std::string(row.pod_policy) + " → " + row.phase);
    EXPECT_EQ(compute_phase({.pod = spec, .statuses = statuses}), row.phase);
    EXPECT_EQ(compute_phase({.pod = spec, .statuses = statuses, .options = kOff}),
              row.without_feature);
  }
}

TEST(RestartRules, a_deleted_pod_ends_by_its_exit_codes) {
  const api::Pod spec = pod({own("a", "Always"), own("b", "Always")}, "Never");
  const std::vector<api::ContainerStatus> statuses = {ended("a", 0), ended("b", 0)};
  EXPECT_EQ(compute_phase({.pod = spec, .statuses = statuses, .pod_is_terminal = true}),
            "Succeeded");
}

TEST(RestartRules, a_refused_start_shows_as_waiting_only_where_the_container_comes_back) {
  const api::PodStatus previous;
  const ActuatedResources actuated;
  const StartErrors errors = {{"app", {.reason = "CrashLoopBackOff", .message = "back-off"}}};
  const RuntimePod shown = runtime({exited("app", 3)});
  for (const bool again : {true, false}) {
    const api::Pod spec = pod({own("app", "Never", {rule(again ? "In" : "NotIn", {3})})}, "Never");
    const auto lists = build_container_statuses({.pod = spec,
                                                 .previous = previous,
                                                 .runtime = shown,
                                                 .actuated = actuated,
                                                 .start_errors = errors});
    EXPECT_EQ(lists.containers[0].state.waiting.has_value(), again);
    EXPECT_EQ(lists.containers[0].state.terminated.has_value(), !again);
  }
}

TEST(RestartRules, a_container_may_leave_the_terminated_state_if_its_own_rules_restart_it) {
  api::PodStatus before;
  before.containerStatuses = {ended("app", 3)};
  api::PodStatus after;
  after.containerStatuses = {api::ContainerStatus{.name = "app"}};
  after.containerStatuses[0].state.waiting.emplace();
  const api::Pod ruled = pod({own("app", "Never", {rule("In", {3})})}, "Never");
  EXPECT_EQ(illegal_transition(ruled, before, after, {}), std::nullopt);
  EXPECT_NE(illegal_transition(ruled, before, after, kOff), std::nullopt);
  const api::Pod other = pod({own("app", "Never", {rule("In", {4})})}, "Never");
  EXPECT_NE(illegal_transition(other, before, after, {}), std::nullopt);
}

TEST(StoppedToRestart, is_started_again_whatever_its_policy_and_its_exit_say) {
  for (const char* policy : {"Never", "OnFailure", "Always"}) {
    const api::Pod spec = pod({container("app")}, policy);
    RuntimePod shown = runtime({exited("app", 0)});
    shown.containers[0].start_again = StartAgain::kStopped;
    const PodActions out = actions(spec, shown);
    EXPECT_EQ(out.containers_to_start, Indexes{0}) << policy;
    EXPECT_FALSE(out.kill_pod) << policy;
  }
}

TEST(StoppedToRestart, its_end_is_not_an_exit_that_the_backoff_counts) {
  RuntimePod shown = runtime({exited("app", 137, at(50)), exited("app", 1, at(10))});
  shown.containers[0].start_again = StartAgain::kStopped;
  EXPECT_EQ(last_exit(shown, "app"), at(10));
  shown.containers[0].start_again = StartAgain::kByPolicy;
  EXPECT_EQ(last_exit(shown, "app"), at(50));
}

TEST(StoppedToRestart, waits_like_any_other_when_the_one_before_it_ended_within_the_window) {
  const RestartIdentity identity{.pod_name = "p", .container = "app"};
  const RestartBackoffPolicy policy;
  const RestartBackoff history =
      record_start({}, policy, identity, at(40), at(45));  // a window of 10 s
  struct Case {
    std::vector<RuntimeContainer> seen{};
    std::optional<WallTime> until{};
  };
  RuntimeContainer alone = exited("app", 137, at(50));
  alone.restart_count = 1;
  alone.started_at = at(45).time_since_epoch().count();
  RuntimeContainer first = exited("app", 137, at(50));
  for (const Case& c : {Case{{exited("app", 137, at(50)), exited("app", 1, at(45))}, at(60)},
                        Case{{exited("app", 137, at(50)), exited("app", 1, at(39))}, {}},
                        Case{{alone}, at(60)}, Case{{first}, {}}}) {
    RuntimePod shown = runtime(c.seen);
    for (RuntimeContainer& container : shown.containers)
      container.start_again = StartAgain::kStopped;
    const RestartVerdict verdict = check_restart(history, policy, identity, shown, at(51));
    EXPECT_EQ(verdict.in_backoff, c.until.has_value());
    if (c.until) {
      EXPECT_EQ(verdict.until, *c.until);
    }
  }
}

TEST(StoppedToRestart, is_shown_to_wait_for_its_next_start_and_its_pod_goes_on) {
  const api::Pod spec = pod({container("app")}, "Never");
  RuntimePod shown = runtime({exited("app", 137)});
  shown.containers[0].start_again = StartAgain::kStopped;
  const api::PodStatus previous;
  const ActuatedResources actuated;
  const StartErrors errors;
  const auto lists = build_container_statuses({.pod = spec,
                                               .previous = previous,
                                               .runtime = shown,
                                               .actuated = actuated,
                                               .start_errors = errors});
  const api::ContainerStatus& shown_of = lists.containers[0];
  ASSERT_TRUE(shown_of.state.waiting.has_value());
  EXPECT_EQ(shown_of.state.waiting->reason, "ContainerCreating");
  EXPECT_FALSE(shown_of.state.terminated.has_value());
  ASSERT_TRUE(shown_of.lastState.terminated.has_value());
  EXPECT_EQ(shown_of.lastState.terminated->exitCode, 137);
  EXPECT_EQ(
      compute_phase(
          {.pod = spec, .statuses = lists.containers, .starting_again = starting_again(shown)}),
      "Running");
}

TEST(StoppedToRestart, is_shown_as_ended_once_another_runs) {
  const api::Pod spec = pod({container("app")}, "Always");
  RuntimePod shown = runtime({running("app"), exited("app", 137)});
  shown.containers[1].start_again = StartAgain::kStopped;
  const api::PodStatus previous;
  const ActuatedResources actuated;
  const StartErrors errors;
  const auto lists = build_container_statuses({.pod = spec,
                                               .previous = previous,
                                               .runtime = shown,
                                               .actuated = actuated,
                                               .start_errors = errors});
  EXPECT_TRUE(lists.containers[0].state.running.has_value());
  EXPECT_FALSE(lists.containers[0].lastState.running.has_value());
  ASSERT_TRUE(lists.containers[0].lastState.terminated.has_value());
  EXPECT_EQ(lists.containers[0].lastState.terminated->exitCode, 137);
}

TEST(StopSignal, the_one_in_force_is_shown_unless_it_is_the_runtimes_default) {
  struct Row {
    std::int32_t number;
    std::optional<std::string> name;
  };
  for (const Row& row : {Row{0, std::nullopt}, Row{18, "SIGQUIT"}, Row{35, "SIGRTMIN"},
                         Row{50, "SIGRTMIN+15"}, Row{51, "SIGRTMAX-14"}, Row{65, "SIGRTMAX"}}) {
    const api::Pod spec = pod({container("app")});
    RuntimePod shown = runtime({running("app")});
    shown.containers[0].stop_signal = row.number;
    const api::PodStatus previous;
    const ActuatedResources actuated;
    const StartErrors errors;
    const auto lists = build_container_statuses({.pod = spec,
                                                 .previous = previous,
                                                 .runtime = shown,
                                                 .actuated = actuated,
                                                 .start_errors = errors});
    EXPECT_EQ(lists.containers[0].stopSignal, row.name);
  }
}

}  // namespace
}  // namespace berth::lifecycle::test
