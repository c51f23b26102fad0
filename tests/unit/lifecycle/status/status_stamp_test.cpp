// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/status/status_stamp.hpp"

#include <gtest/gtest.h>

#include "lifecycle/reasons.hpp"
#include "lifecycle/status/conditions.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

api::PodStatus with_condition(std::string_view type, std::string status) {
  api::PodStatus out;
  out.phase = "Running";
  out.conditions = {api::PodCondition{.type = std::string(type), .status = std::move(status)}};
  return out;
}

api::ContainerStatus terminated(std::string name, std::int32_t code) {
  api::ContainerStatus out{.name = std::move(name)};
  out.state.terminated = api::ContainerStateTerminated{.exitCode = code};
  return out;
}

api::ContainerStatus waiting(std::string name) {
  api::ContainerStatus out{.name = std::move(name)};
  out.state.waiting.emplace();
  return out;
}

TEST(StampStatus, a_transition_time_moves_only_with_the_status) {
  const api::Pod spec = pod({container("app")});
  const auto first = stamp_status(spec, {}, with_condition(kPodReady, "False"), at(1));
  EXPECT_EQ(first.conditions[0].lastTransitionTime, api::Time{at(1)});
  auto same = with_condition(kPodReady, "False");
  same.conditions[0].reason = "ContainersNotReady";
  const auto second = stamp_status(spec, first, same, at(2));
  EXPECT_EQ(second.conditions[0].lastTransitionTime, api::Time{at(1)});
  const auto third = stamp_status(spec, second, with_condition(kPodReady, "True"), at(3));
  EXPECT_EQ(third.conditions[0].lastTransitionTime, api::Time{at(3)});
}

TEST(StampStatus, a_resize_condition_moves_with_its_reason) {
  const api::Pod spec = pod({container("app")});
  auto deferred = with_condition(kResizePending, "True");
  deferred.conditions[0].reason = "Deferred";
  const auto first = stamp_status(spec, {}, deferred, at(1));
  auto infeasible = deferred;
  infeasible.conditions[0].reason = "Infeasible";
  EXPECT_EQ(stamp_status(spec, first, deferred, at(2)).conditions[0].lastTransitionTime,
            api::Time{at(1)});
  EXPECT_EQ(stamp_status(spec, first, infeasible, at(2)).conditions[0].lastTransitionTime,
            api::Time{at(2)});
}

TEST(StampStatus, the_start_time_is_set_once) {
  const api::Pod spec = pod({container("app")});
  const auto first = stamp_status(spec, {}, {}, at(1.5));
  EXPECT_EQ(first.startTime, api::Time{at(1)});
  EXPECT_EQ(stamp_status(spec, first, {}, at(9)).startTime, api::Time{at(1)});
}

TEST(StampStatus, the_observed_generation_never_falls) {
  api::Pod spec = pod({container("app")});
  api::PodStatus before;
  before.observedGeneration = 7;
  spec.metadata.generation = 5;
  EXPECT_EQ(stamp_status(spec, before, {}, at(0)).observedGeneration, 7);
  spec.metadata.generation = 8;
  EXPECT_EQ(stamp_status(spec, before, {}, at(0)).observedGeneration, 8);
}

TEST(StampStatus, termination_messages_share_twelve_kibibytes) {
  const api::Pod spec = pod({container("a"), container("b")});
  api::PodStatus status;
  status.containerStatuses = {terminated("a", 1)};
  std::string& message = status.containerStatuses[0].state.terminated->message;
  message.assign(6143, 'x');
  message += "ä and more";
  const auto out = stamp_status(spec, {}, status, at(0));
  // A character of which only half would fit is left out.
  EXPECT_EQ(out.containerStatuses[0].state.terminated->message, std::string(6143, 'x'));
}

TEST(StampStatus, lists_are_sorted_and_times_lose_their_fraction) {
  const api::Pod spec = pod({container("b"), container("a")});
  api::PodStatus status;
  status.containerStatuses = {waiting("b"), terminated("a", 0)};
  status.containerStatuses[1].state.terminated->finishedAt = api::Time{at(3.7)};
  const auto out = stamp_status(spec, {}, status, at(0));
  EXPECT_EQ(out.containerStatuses[0].name, "a");
  EXPECT_EQ(out.containerStatuses[0].state.terminated->finishedAt, api::Time{at(3)});
}

TEST(ShownStatus, a_terminal_phase_is_held_back_while_containers_may_run) {
  const api::Pod spec = pod({container("app")});
  auto running = with_condition(kPodReady, "True");
  auto failed = with_condition(kDisruptionTarget, "True");
  failed.conditions[0].reason = kTerminationByKubelet;
  failed.phase = "Failed";
  failed.reason = "Evicted";
  const auto held = shown_status(spec, running, failed, true, at(5));
  EXPECT_EQ(held.phase, "Running");
  EXPECT_EQ(held.reason, "");
  EXPECT_TRUE(held.conditions.empty());
  const auto shown = shown_status(spec, held, failed, false, at(6));
  EXPECT_EQ(shown.phase, "Failed");
  EXPECT_EQ(shown.reason, "Evicted");
  ASSERT_EQ(shown.conditions.size(), 1U);
  EXPECT_EQ(shown.conditions[0].lastTransitionTime, api::Time{at(6)});
}

TEST(ShownStatus, what_others_say_of_its_disruption_is_shown_over_a_restart) {
  auto kept = with_condition(kDisruptionTarget, "True");
  kept.phase = "Failed";
  kept.reason = "Evicted";
  kept.conditions[0].reason = "PreemptionByScheduler";
  const auto shown = shown_while_running(kept);
  EXPECT_EQ(shown.phase, "Running");
  EXPECT_EQ(shown.reason, "");
  EXPECT_EQ(shown.conditions, kept.conditions);
  kept.conditions[0].reason = kTerminationByKubelet;
  EXPECT_TRUE(shown_while_running(kept).conditions.empty());
  kept.phase = "Pending";
  EXPECT_EQ(shown_while_running(kept), kept);
}

TEST(ShownStatus, a_pod_never_shown_before_is_pending_while_it_is_held_back) {
  api::PodStatus failed;
  failed.phase = "Failed";
  EXPECT_EQ(shown_status(pod({container("app")}), {}, failed, true, at(0)).phase, "Pending");
}

TEST(ShownStatus, a_terminal_pod_is_not_ready) {
  auto done = with_condition(kPodReady, "True");
  done.phase = "Succeeded";
  const auto shown = shown_status(pod({container("app")}), {}, done, false, at(4));
  EXPECT_EQ(shown.conditions[0].status, "False");
  EXPECT_EQ(shown.conditions[0].reason, "PodCompleted");
  EXPECT_EQ(shown.conditions[0].lastTransitionTime, api::Time{at(4)});
}

TEST(IllegalTransition, what_terminated_stays_so_unless_the_policy_restarts_it) {
  struct Row {
    const char* policy;
    std::int32_t exit_code;
    bool legal;
  };
  for (const Row& row : {Row{"Always", 0, true}, Row{"OnFailure", 1, true},
                         Row{"OnFailure", 0, false}, Row{"Never", 1, false}}) {
    api::PodStatus before;
    before.containerStatuses = {terminated("app", row.exit_code)};
    api::PodStatus after;
    after.containerStatuses = {waiting("app")};
    const auto found = illegal_transition(pod({container("app")}, row.policy), before, after, {});
    EXPECT_EQ(!found.has_value(), row.legal) << row.policy << row.exit_code;
  }
}

TEST(IllegalTransition, sidecars_may_always_come_back) {
  api::Pod spec = pod({container("app")}, "Never");
  spec.spec.initContainers = {sidecar("proxy"), container("setup")};
  api::PodStatus before;
  before.initContainerStatuses = {terminated("proxy", 1), terminated("setup", 0)};
  api::PodStatus after = before;
  after.initContainerStatuses[0] = waiting("proxy");
  EXPECT_EQ(illegal_transition(spec, before, after, {}), std::nullopt);
  after.initContainerStatuses[1] = waiting("setup");
  EXPECT_NE(illegal_transition(spec, before, after, {}), std::nullopt);
}

TEST(SameStatus, times_of_conditions_do_not_count) {
  auto a = with_condition(kPodReady, "True");
  auto b = a;
  b.conditions[0].lastTransitionTime = api::Time{at(1)};
  b.observedGeneration = 4;
  EXPECT_TRUE(same_status(a, b));
  b.conditions[0].status = "False";
  EXPECT_FALSE(same_status(a, b));
}

}  // namespace
}  // namespace berth::lifecycle::test
