// SPDX-License-Identifier: Apache-2.0

// What a running postStart hook delays: the end of its pod; after it failed, no other container.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/simulation/container_program.hpp"
#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

using simulation::Hook;
using simulation::HookKind;

api::Container with_post_start(const char* name, const Hook& hook) {
  api::Container made = container(name, {"sim", "term=1000"});
  made.lifecycle = api::Lifecycle{
      .postStart = api::LifecycleHandler{.exec = api::ExecAction{.command = write_hook(hook)}}};
  return made;
}

Hook takes(Nanoseconds time, std::int32_t exit_code = 0) {
  return {.kind = HookKind::kPostStart, .takes = time, .exit_code = exit_code};
}

TEST_F(PodSetTest, an_end_waits_for_a_post_start_hook_and_then_gives_the_whole_grace_period) {
  auto slow = with_post_start("main", takes(100s));
  slow.command = {"sim", "term=ignore"};
  desire({pod("u1", {slow, container("other", {"sim"})})});
  clock.advance(10s);
  desire({});
  clock.advance(80s);
  ASSERT_EQ(runtime.instances().size(), 1U);
  EXPECT_FALSE(runtime.instances()[0].first_stop_called);
  EXPECT_EQ(status().phase, "Pending") << "until the hook returns it is shown as before";
  clock.advance(15s);
  ASSERT_TRUE(runtime.instances()[0].first_term);
  const SteadyTime termed = *runtime.instances()[0].first_term;
  clock.advance(35s);
  EXPECT_EQ(live(), 0);
  EXPECT_NEAR(std::chrono::duration<double>(*runtime.instances()[0].exited - termed).count(), 30,
              0.1);
  EXPECT_EQ(shown.gone, std::vector<std::string>{"u1"});
  EXPECT_EQ(runtime.instances().size(), 1U) << "nothing starts any more";
}

TEST_F(PodSetTest, a_hook_runs_though_nobody_could_look_at_its_container) {
  desire({pod("u1", {with_post_start("main", takes(1s, 1))})});
  while (runtime.instances().empty() || !runtime.instances()[0].start_called) clock.advance(1ms);
  runtime.set_faults({.failed_before = 1000});
  while (!runtime.instances()[0].started) clock.advance(1ms);
  clock.advance(20ms);
  runtime.set_faults({});
  clock.advance(2s);
  EXPECT_EQ(recorded_events.count("FailedPostStartHook: "), 1);
}

TEST_F(PodSetTest, an_end_with_a_shorter_period_waits_no_longer_than_that_for_a_hook) {
  desire({pod("u1", {with_post_start("main", takes(10min))})});
  clock.advance(10s);
  EXPECT_TRUE(agent->pods().delete_pod("default", "web", 5s).has_value());
  clock.advance(4900ms);
  EXPECT_FALSE(runtime.instances()[0].first_stop_called);
  clock.advance(200ms);
  EXPECT_TRUE(runtime.instances()[0].first_term);
}

TEST_F(PodSetTest, a_container_whose_hook_failed_comes_again_after_those_that_were_not_tried_yet) {
  desire({pod("u1", {with_post_start("main", takes(1s, 1)), container("other", {"sim"})})});
  clock.advance(4s);
  ASSERT_GE(runtime.instances().size(), 3U);
  EXPECT_EQ(runtime.instances()[0].name, "main");
  EXPECT_EQ(runtime.instances()[1].name, "other");
  EXPECT_EQ(runtime.instances()[2].name, "main");
}

TEST_F(PodSetTest, a_container_whose_first_hook_runs_is_shown_as_being_created) {
  desire({pod("u1", {with_post_start("main", takes(10s))})});
  clock.advance(5s);
  ASSERT_EQ(live(), 1);
  const api::ContainerStatus& main = status().containerStatuses.at(0);
  ASSERT_TRUE(main.state.waiting);
  EXPECT_EQ(main.state.waiting->reason, "ContainerCreating");
  EXPECT_EQ(main.containerID, "");
  EXPECT_EQ(status().phase, "Pending");
  clock.advance(6s);
  EXPECT_TRUE(status().containerStatuses.at(0).state.running);
  EXPECT_NE(status().containerStatuses.at(0).containerID, "");
}

TEST_F(PodSetTest, a_container_whose_hook_runs_once_more_is_shown_between_its_two_runs) {
  auto main = with_post_start("main", takes(5s));
  main.command = {"sim", "exit=1", "after=8000"};
  desire({pod("u1", {main})});
  while (live() == 0 || runtime.instances().size() < 2) clock.advance(100ms);
  clock.advance(1s);
  const std::string second = runtime.instances().at(1).id.str();
  const api::ContainerStatus& again = status().containerStatuses.at(0);
  ASSERT_TRUE(again.state.waiting);
  EXPECT_EQ(again.state.waiting->reason, "ContainerCreating");
  EXPECT_FALSE(again.containerID.ends_with(second)) << again.containerID;
  EXPECT_TRUE(again.lastState.terminated);
  EXPECT_EQ(status().phase, "Running");
  clock.advance(5s);
  EXPECT_TRUE(status().containerStatuses.at(0).state.running);
  EXPECT_TRUE(status().containerStatuses.at(0).containerID.ends_with(second));
  EXPECT_EQ(status().containerStatuses.at(0).restartCount, 1);
}

TEST_F(PodSetTest, a_hook_that_falls_back_to_plain_http_is_an_event_on_the_pod_itself) {
  api::HTTPGetAction request;
  request.host = "plain";
  request.port = api::IntOrString(8443);
  request.scheme = "HTTPS";
  const api::LifecycleHandler asks{.httpGet = request};
  api::Container made = container("main", {"sim"});
  made.lifecycle = api::Lifecycle{.postStart = asks, .preStop = asks};
  desire({pod("u1", {made})});
  clock.advance(5s);
  ASSERT_EQ(recorded_events.count("LifecycleHTTPFallback: "), 1) << "postStart";
  desire({});
  clock.advance(5s);
  ASSERT_EQ(recorded_events.count("LifecycleHTTPFallback: "), 2) << "preStop";
  for (std::size_t at = 0; at < recorded_events.texts.size(); ++at) {
    if (!recorded_events.texts[at].starts_with("LifecycleHTTPFallback: ")) continue;
    EXPECT_EQ(recorded_events.texts[at],
              "LifecycleHTTPFallback: request to HTTPS lifecycle hook plain:8443 got HTTP "
              "response, retry with HTTP succeeded");
    EXPECT_EQ(recorded_events.paths[at], "");
  }
}

}  // namespace
}  // namespace berth::lifecycle
