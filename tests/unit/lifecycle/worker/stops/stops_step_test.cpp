// SPDX-License-Identifier: Apache-2.0

// The next step for containers that are to stop, in tables.
#include "lifecycle/worker/stops/stops_step.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;
using Calls = std::vector<StopCall>;

// A second of the stop that began at 0 with 30 s.
SteadyTime second(double seconds) {
  return SteadyTime{
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds))};
}

ContainerToStop to_stop(const char* id, const char* name) {
  const StopPeriod period{.begun_at = second(0), .seconds = 30};
  return {.id = id,
          .name = name,
          .state = cri::ContainerState::kRunning,
          .grace = {.base_seconds = 30, .effective_seconds = 30},
          .sandbox_known = true,
          .stop = {.name = name, .in_force = StopInForce{.period = period}}};
}

ContainerToStop hooked(const char* id, const char* name) {
  ContainerToStop container = to_stop(id, name);
  container.has_pre_stop = container.grace.run_pre_stop = true;
  return container;
}

ContainerToStop singly(ContainerToStop container, std::string message = {}) {
  container.stop.single = ContainerKill{.id = cri::ContainerId(container.id),
                                        .name = container.name,
                                        .reason = KillReason::kLivenessProbe,
                                        .message = std::move(message)};
  return container;
}

class StopsStepTest : public ::testing::Test {
 protected:
  StopsStepTest() {
    pod = test::pod({test::container("main")});
    pod.spec.initContainers = {test::sidecar("side")};
  }
  StopsStep step(std::vector<ContainerToStop> containers, double now,
                 StopScope scope = StopScope::kPod) {
    return next_stops_step(
        {.pod = pod, .scope = scope, .containers = std::move(containers), .now = second(now)});
  }

  api::Pod pod{};
};

TEST_F(StopsStepTest, a_pod_stops_in_order_and_single_containers_at_once) {
  const StopsStep ordered = step({to_stop("a", "main"), to_stop("b", "side")}, 0);
  EXPECT_EQ(ordered.calls, (Calls{{"a", "main", 30}}));
  EXPECT_EQ(ordered.look_again_at, second(30)) << "the sidecar waits its period at most";
  EXPECT_TRUE(ordered.waits());
  const StopsStep alone =
      step({singly(to_stop("a", "main")), singly(to_stop("b", "side"))}, 0, StopScope::kSingles);
  EXPECT_EQ(alone.calls, (Calls{{"a", "main", 30}, {"b", "side", 30}}));
  EXPECT_EQ(alone.singles.size(), 2U);
}

TEST_F(StopsStepTest, a_hook_is_begun_awaited_and_given_up_in_either_scope) {
  struct Case {
    const char* what;
    std::optional<PreStop> hook;
    double now;
    Names begin;
    Names give_up;
    Calls calls;
    std::optional<SteadyTime> look_again_at;
  };
  const std::vector<Case> cases = {
      {"not begun", {}, 0, {"a"}, {}, {}, second(30)},
      {"it runs", PreStop{}, 12, {}, {}, {}, second(30)},
      {"it returned", PreStop{.done_at = second(12)}, 12, {}, {}, {{"a", "main", 18}}, {}},
      {"it used up the period", PreStop{}, 30, {}, {"a"}, {{"a", "main", 2}}, {}},
  };
  for (const Case& one : cases)
    for (const StopScope scope : {StopScope::kPod, StopScope::kSingles}) {
      SCOPED_TRACE(one.what);
      ContainerToStop container = singly(hooked("a", "main"));
      container.stop.pre_stop = one.hook;
      const StopsStep next = step({container}, one.now, scope);
      EXPECT_EQ(next.begin_hooks, one.begin);
      EXPECT_EQ(next.give_up_hooks, one.give_up);
      EXPECT_EQ(next.calls, one.calls);
      EXPECT_EQ(next.look_again_at, one.look_again_at);
      EXPECT_EQ(next.pre_stops.size(), 1U);
    }
}

TEST_F(StopsStepTest, a_hook_that_an_earlier_berthd_began_is_settled_and_not_begun_again) {
  ContainerToStop container = hooked("a", "main");
  container.stop.in_force->stored.pre_stop = true;
  const StopsStep next = step({container}, 10);
  EXPECT_EQ(next.begin_hooks, Names{});
  ASSERT_EQ(next.pre_stops.size(), 1U);
  EXPECT_TRUE(next.pre_stops[0].step.settle);
  EXPECT_EQ(next.calls, (Calls{{"a", "main", 20}}));
}

TEST_F(StopsStepTest, one_that_was_created_holds_up_the_sandbox_alone) {
  struct Case {
    const char* what;
    bool starting;
    bool sandbox_stopped;
    double now;
    Names await;
    Names created;
  };
  const std::vector<Case> cases = {
      {"not started", false, false, 0, {}, {"a"}},
      {"a start may come to something", true, false, 10, {"a"}, {"a"}},
      {"not for longer than its period", true, false, 30, {}, {"a"}},
      {"its sandbox is stopped", false, true, 0, {}, {}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    ContainerToStop container = to_stop("a", "main");
    container.state = cri::ContainerState::kCreated;
    container.starting = one.starting;
    container.sandbox_stopped = one.sandbox_stopped;
    const StopsStep next = step({container, to_stop("b", "side")}, one.now);
    EXPECT_EQ(next.await_starts, one.await);
    EXPECT_EQ(next.created, one.created);
    EXPECT_EQ(next.calls.size(), 1U) << "the sidecar does not wait for it";
  }
}

TEST_F(StopsStepTest, a_call_that_failed_is_made_again_and_then_left_to_the_sandbox) {
  struct Case {
    const char* what;
    StopRetry retry;
    std::optional<double> last_sent;
    bool sandbox_known;
    double now;
    Calls calls;
    Names at_once;
    Names left;
  };
  const Calls again{{"a", "main", 10}};
  const Calls shortest{{"a", "main", 2}};
  const std::vector<Case> cases = {
      {"its retry is not due", StopRetry::kLater, 0, true, 20, {}, {}, {}},
      {"its retry is due", StopRetry::kDue, 0, true, 20, again, {}, {}},
      {"its period is over: at once", StopRetry::kLater, 29, true, 31, shortest, {"a"}, {}},
      {"an earlier berthd sent it: at once", StopRetry::kLater, {}, true, 31, shortest, {"a"}, {}},
      {"in vain after its period, too", StopRetry::kDue, 30.5, true, 31, {}, {}, {"a"}},
      {"no sandbox that could end it", StopRetry::kDue, 30.5, false, 31, shortest, {}, {}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    ContainerToStop container = to_stop("a", "main");
    container.retry = one.retry;
    container.sandbox_known = one.sandbox_known;
    container.stop.in_force->stored.pre_stop = true;
    container.stop.pre_stop = PreStop{.done_at = second(0)};
    if (one.last_sent) container.stop.calls.last_sent = second(*one.last_sent);
    const StopsStep next = step({container}, one.now);
    EXPECT_EQ(next.calls, one.calls);
    EXPECT_EQ(next.retry_at_once, one.at_once);
    EXPECT_EQ(next.left, one.left);
  }
}

TEST_F(StopsStepTest, one_that_is_signalled_is_waited_for_and_its_failed_shortening_repeated) {
  ContainerToStop container = to_stop("a", "main");
  container.stop.in_force->period.seconds = 10;
  container.stop.calls.kill_at = {second(30)};
  const StopsStep waits = step({container}, 4);
  EXPECT_TRUE(waits.calls.empty());
  EXPECT_TRUE(waits.shorten_again.empty());
  EXPECT_TRUE(waits.waits());
  container.stop.calls.one_failed = true;
  const StopsStep again = step({container}, 4);
  ASSERT_EQ(again.shorten_again.size(), 1U);
  EXPECT_EQ(again.shorten_again[0].call, (StopCall{"a", "main", 6}));
  EXPECT_EQ(again.shorten_again[0].kill_at, second(11)) << "whole seconds, rounded up";
  container.stop.calls.kill_at = {second(11)};
  EXPECT_TRUE(step({container}, 4).shorten_again.empty()) << "it is killed no later";
  container.stop.calls.kill_at = {second(30)};
  container.retry = StopRetry::kLater;
  EXPECT_TRUE(step({container}, 4).shorten_again.empty()) << "its retry is not due";
}

TEST_F(StopsStepTest, of_two_instances_of_one_name_both_are_signalled) {
  const StopsStep next = step({to_stop("new", "main"), to_stop("old", "main")}, 0);
  EXPECT_EQ(next.calls, (Calls{{"new", "main", 30}, {"old", "main", 30}}));
  EXPECT_EQ(next.stopping.size(), 1U);
}

TEST_F(StopsStepTest, a_single_stop_says_why_and_can_be_taken_again) {
  const StopsStep next =
      step({singly(to_stop("a", "main"), "its liveness probe failed")}, 5, StopScope::kSingles);
  ASSERT_EQ(next.singles.size(), 1U);
  const SingleStopDecision& single = next.singles[0];
  ASSERT_EQ(single.step.reasons.size(), 1U);
  EXPECT_EQ(single.step.reasons[0],
            (Reason{.subject = "main", .rule = "Stop", .text = "its liveness probe failed"}));
  const TerminationStep again = decide_single_stop(single.question);
  EXPECT_EQ(again.stop_now, single.step.stop_now);
  EXPECT_EQ(again.reasons, single.step.reasons);
}

TEST_F(StopsStepTest, nothing_to_stop_waits_for_nothing) {
  const StopsStep next = step({}, 0);
  EXPECT_FALSE(next.waits());
  EXPECT_FALSE(next.look_again_at);
}

}  // namespace
}  // namespace berth::lifecycle
