// SPDX-License-Identifier: Apache-2.0

// Grace periods, and which container gets its stop signal when.
#include <limits>

#include <gtest/gtest.h>

#include "lifecycle/grace_period.hpp"
#include "lifecycle/pre_stop_step.hpp"
#include "lifecycle/termination_order.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using std::chrono::seconds;

SteadyTime steady(double second) {
  return SteadyTime{std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(second))};
}

StoppingContainer stopping(std::string name, std::int64_t grace, std::optional<double> hook = 0.0) {
  StoppingContainer out{.name = std::move(name), .grace_seconds = grace, .begun_at = steady(0)};
  if (hook) out.hook_done_at = steady(*hook);
  return out;
}

api::Pod pod_with_sidecars() {
  api::Pod out = pod({container("app")});
  out.spec.initContainers = {sidecar("first"), sidecar("second")};
  return out;
}

std::vector<std::string> names(const TerminationStep& step) {
  std::vector<std::string> out;
  for (const StopNow& stop : step.stop_now) out.push_back(stop.name);
  return out;
}

using Names = std::vector<std::string>;

TEST(EffectiveGrace, only_shrinks_and_never_below_a_second) {
  const api::Pod spec = pod({container("app")});
  EXPECT_EQ(effective_grace(0, grace_request(spec, std::nullopt)).seconds, 30);
  EXPECT_EQ(effective_grace(30, grace_request(spec, 5)), (EffectiveGrace{5, true}));
  EXPECT_EQ(effective_grace(5, grace_request(spec, 60)), (EffectiveGrace{5, false}));
  EXPECT_EQ(effective_grace(0, grace_request(spec, 0)).seconds, 1);
}

TEST(EffectiveGrace, of_a_decision_never_grows) {
  const GraceRequest request{.deletion_seconds = 0, .override_seconds = 45};
  EXPECT_EQ(effective_grace(1, request).seconds, 45) << "the kubelet's flaw";
  api::Pod spec = pod({container("app")});
  spec.metadata.deletionGracePeriodSeconds = 0;
  const GraceDecision decided = decide_grace({.pod = spec, .previous = 1, .override_seconds = 45});
  EXPECT_EQ(decided.seconds, 1);
  EXPECT_FALSE(decided.shortened);
}

TEST(StopGrace, the_period_of_a_probe_counts_only_for_its_own_kills) {
  api::Pod spec = pod({container("app")});
  spec.spec.containers[0].livenessProbe.emplace().terminationGracePeriodSeconds = 7;
  const api::Container& app = spec.spec.containers[0];
  EXPECT_EQ(stop_grace(spec, app, KillReason::kLivenessProbe, {}).effective_seconds, 7);
  EXPECT_EQ(stop_grace(spec, app, KillReason::kStartupProbe, {}).effective_seconds, 30);
  EXPECT_EQ(stop_grace(spec, app, KillReason::kLivenessProbe, 4).effective_seconds, 4);
  spec.metadata.deletionGracePeriodSeconds = 9;
  EXPECT_EQ(stop_grace(spec, app, KillReason::kLivenessProbe, {}).effective_seconds, 9);
}

// A manifest or a request may contain any number; more than a century would not fit into
// nanoseconds.
TEST(GracePeriod, ends_within_a_century) {
  api::Pod spec;
  spec.spec.terminationGracePeriodSeconds = std::numeric_limits<std::int64_t>::max();
  spec.spec.containers.resize(1);
  const GraceDecision own = decide_grace({.pod = spec});
  EXPECT_EQ(own.seconds, kLongestGraceSeconds);
  EXPECT_GT(own.ends_at, WallTime{});
  const GraceDecision asked =
      decide_grace({.pod = spec, .override_seconds = std::numeric_limits<std::int64_t>::max() - 1});
  EXPECT_EQ(asked.seconds, kLongestGraceSeconds);
  const StopGrace stop = stop_grace(spec, spec.spec.containers[0], KillReason::kLivenessProbe, {});
  EXPECT_EQ(stop.effective_seconds, kLongestGraceSeconds);
}

TEST(StopTimeout, hook_time_counts_in_whole_seconds_and_two_are_left) {
  EXPECT_EQ(stop_timeout_seconds(30, std::chrono::milliseconds{3999}, {}), 27);
  EXPECT_EQ(stop_timeout_seconds(30, seconds{40}, {}), 2);
}

TEST(OrderedPeriod, shortens_what_is_under_way_and_overtakes_what_has_reached_nobody) {
  const StopPeriod thirty{.begun_at = steady(0), .seconds = 30};
  const StopPeriod two{.begun_at = steady(0), .seconds = 2};
  struct Row {
    const char* what;
    OrderedStop stop;
    StopPeriod period;
  };
  // An order given at 9 s and processed at 10 s.
  const std::vector<Row> rows = {
      {"shorter than what is left", {thirty, false, steady(9), 5}, {steady(10), 5}},
      {"longer than what is left", {thirty, false, steady(9), 25}, thirty},
      {"longer than the whole of it", {two, false, steady(9), 20}, two},
      {"nothing has reached it: shorter", {thirty, true, steady(9), 5}, {steady(9), 5}},
      {"nothing has reached it: longer", {two, true, steady(9), 20}, {steady(9), 20}},
      {"it was decided for the order itself",
       {{steady(9.5), 20}, true, steady(9), 20},
       {steady(9.5), 20}},
      {"taken up again after a restart", {{steady(9), 20}, true, steady(9), 20}, {steady(9), 20}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(ordered_period(row.stop, steady(10)), row.period) << row.what;
}

TEST(NextStops, without_sidecars_all_stop_at_once) {
  const api::Pod spec = pod({container("a"), container("b")});
  const auto step = next_stops(spec, {stopping("a", 30), stopping("b", 30)}, steady(0));
  EXPECT_EQ(names(step), (Names{"a", "b"}));
  EXPECT_EQ(step.look_again_at, std::nullopt);
}

TEST(NextStops, sidecars_stop_last_to_first_each_after_the_other) {
  const api::Pod spec = pod_with_sidecars();
  auto app = stopping("app", 30);
  auto first = stopping("first", 30);
  auto second = stopping("second", 30);
  const auto begin = next_stops(spec, {app, first, second}, steady(0));
  EXPECT_EQ(names(begin), Names{"app"});
  EXPECT_EQ(begin.look_again_at, steady(30));
  app.signalled = true;
  EXPECT_TRUE(next_stops(spec, {app, first, second}, steady(4)).stop_now.empty());
  // The application has ended after 4.5 s: 26 of the 30 s are left for the next container.
  const auto then = next_stops(spec, {first, second}, steady(4.5));
  ASSERT_EQ(names(then), Names{"second"});
  EXPECT_EQ(then.stop_now[0].timeout_seconds, 26);
  EXPECT_EQ(names(next_stops(spec, {first}, steady(6))), Names{"first"});
}

TEST(AddRunning, of_two_instances_the_one_that_is_not_signalled_yet_stands_for_both) {
  StoppingContainer signalled = stopping("app", 30);
  signalled.signalled = true;
  const StoppingContainer unsignalled = stopping("app", 5);
  StoppingContainer between = stopping("other", 7);
  between.signalled = true;
  for (const bool signalled_first : {true, false}) {
    std::vector<StoppingContainer> running;
    add_running(running, signalled_first ? signalled : unsignalled);
    add_running(running, between);
    add_running(running, signalled_first ? unsignalled : signalled);
    ASSERT_EQ(running.size(), 2U);
    EXPECT_EQ(running[0].name, "app");
    EXPECT_EQ(running[0].grace_seconds, 5);
    EXPECT_FALSE(running[0].signalled);
    EXPECT_TRUE(running[1].signalled);
  }
}

TEST(NextStops, nobody_waits_longer_than_the_grace_period) {
  const api::Pod spec = pod_with_sidecars();
  auto app = stopping("app", 30);
  app.signalled = true;
  const auto step =
      next_stops(spec, {app, stopping("first", 30), stopping("second", 30)}, steady(30));
  EXPECT_EQ(names(step), (Names{"first", "second"}));
  EXPECT_EQ(step.stop_now[0].timeout_seconds, 2);
}

TEST(NextStops, a_hook_is_given_up_when_it_has_used_up_the_period) {
  const api::Pod spec = pod({container("app")});
  const std::vector<StoppingContainer> hooked{stopping("app", 10, std::nullopt)};
  const auto waiting = next_stops(spec, hooked, steady(3));
  EXPECT_TRUE(waiting.stop_now.empty());
  EXPECT_EQ(waiting.look_again_at, steady(10));
  const auto given_up = next_stops(spec, hooked, steady(10));
  EXPECT_EQ(given_up.give_up_hook, Names{"app"});
  EXPECT_EQ(given_up.stop_now, (std::vector<StopNow>{{"app", 2}}));
}

TEST(NextStops, hook_time_is_taken_out_of_the_timeout) {
  const api::Pod spec = pod({container("app")});
  const auto step = next_stops(spec, {stopping("app", 10, 3.4)}, steady(3.4));
  EXPECT_EQ(step.stop_now, (std::vector<StopNow>{{"app", 7}}));
}

TEST(PreStopStep, a_hook_is_begun_once_for_one_stop_and_only_where_it_can_run) {
  const SteadyTime stop_began = steady(100);
  const SteadyTime now = steady(130);
  const PreStopStep begin{.begin = true};
  const PreStopStep runs{};
  const auto done = [](SteadyTime at) { return PreStopStep{.done_at = at}; };
  const PreStopStep settled{.done_at = now, .settle = true};
  struct Row {
    const char* what;
    PreStopSituation situation;
    PreStopStep step;
  };
  const std::vector<Row> rows = {
      {"no hook", {.container_runs = true}, done(stop_began)},
      {"due", {.has_hook = true, .container_runs = true}, begin},
      {"nothing runs that it could run in", {.has_hook = true}, done(stop_began)},
      {"the grace period leaves no time for it",
       {.has_hook = true, .leaves_time = false, .container_runs = true},
       done(stop_began)},
      {"it runs", {.has_hook = true, .container_runs = true, .known = PreStop{}}, runs},
      {"it has returned",
       {.has_hook = true, .container_runs = true, .known = PreStop{.done_at = steady(110)}},
       done(steady(110))},
      {"an earlier berthd began it",
       {.has_hook = true, .container_runs = true, .begun_before = true},
       settled},
      {"the store knows of what this one began",
       {.has_hook = true, .container_runs = true, .begun_before = true, .known = PreStop{}},
       runs},
      {"it was begun, and the container has ended meanwhile",
       {.has_hook = true, .known = PreStop{}},
       runs},
  };
  for (Row row : rows) {
    row.situation.stop_began = stop_began;
    EXPECT_EQ(pre_stop_step(row.situation, now), row.step) << row.what;
  }
}

TEST(NextStops, a_shortened_period_ends_the_wait_of_sidecars_sooner) {
  const api::Pod spec = pod_with_sidecars();
  auto app = stopping("app", 30);
  app.signalled = true;
  EXPECT_EQ(next_stops(spec, {app, stopping("first", 5)}, steady(4)).look_again_at, steady(5));
  EXPECT_EQ(names(next_stops(spec, {app, stopping("first", 5)}, steady(7))), Names{"first"});
}

}  // namespace
}  // namespace berth::lifecycle::test
