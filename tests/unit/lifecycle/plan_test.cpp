// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/plan.hpp"

#include <gtest/gtest.h>

#include "lifecycle/decided_starts.hpp"
#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

using Indexes = std::vector<std::size_t>;

// The input of one pass, with its history; no resize is in progress.
struct Pass {
  api::Pod spec{};
  RuntimePod shown{};
  RestartBackoff restarts{};
  ImagePullBackoff pulls{};
  std::set<std::string> present{};
  std::optional<api::Time> start_time{};

  Plan at_second(double second) const {
    const ProbeResults probes;
    const ActuatedResources actuated = actuated_as_specified(spec);
    return plan({.pod = spec,
                 .runtime = shown,
                 .probes = probes,
                 .actuated = actuated,
                 .restarts = restarts,
                 .pulls = pulls,
                 .present_images = present,
                 .start_time = start_time,
                 .now = at(second)});
  }

  void started_before(const api::Container& container) {
    restarts =
        record_start(std::move(restarts), {}, restart_identity(spec, container), at(0), at(0));
  }
};

TEST(Plan, a_healthy_pod_needs_nothing) {
  const Pass pass{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  const Plan out = pass.at_second(0);
  EXPECT_TRUE(is_idle(out.actions));
  EXPECT_EQ(out.look_again_at, std::nullopt);
}

TEST(Plan, a_crashed_container_waits_for_the_exact_end_of_its_window) {
  Pass pass{.spec = pod({container("app")}), .shown = runtime({exited("app", 1, at(5))})};
  pass.started_before(pass.spec.spec.containers[0]);
  const Plan refused = pass.at_second(14.9);
  EXPECT_TRUE(refused.actions.containers_to_start.empty());
  ASSERT_EQ(refused.refusals.size(), 1U);
  EXPECT_EQ(refused.refusals[0].reason, "CrashLoopBackOff");
  EXPECT_EQ(refused.refusals[0].event_message,
            "Back-off restarting failed container app in pod web_default(uid-1)");
  EXPECT_EQ(refused.look_again_at, at(15));
  EXPECT_EQ(pass.at_second(15).actions.containers_to_start, Indexes{0});
}

TEST(Plan, one_refused_container_does_not_hold_back_its_neighbours) {
  Pass pass{.spec = pod({container("app"), container("other")}),
            .shown = runtime({exited("app", 1, at(5))})};
  pass.started_before(pass.spec.spec.containers[0]);
  const Plan out = pass.at_second(6);
  EXPECT_EQ(out.actions.containers_to_start, Indexes{1});
  EXPECT_EQ(out.look_again_at, at(15));
}

TEST(Plan, a_refused_sidecar_holds_back_only_itself) {
  Pass pass{.spec = pod({container("app")}),
            .shown = runtime({exited("logger", 1, at(5)), running("app")})};
  pass.spec.spec.initContainers = {sidecar("proxy"), sidecar("logger")};
  pass.started_before(pass.spec.spec.initContainers[1]);
  const Plan out = pass.at_second(6);
  EXPECT_EQ(out.actions.init_containers_to_start, Indexes{0});
}

TEST(Plan, a_refused_init_container_holds_back_the_pod) {
  Pass pass{.spec = pod({container("app")}), .shown = runtime({exited("setup", 1, at(5))})};
  pass.spec.spec.initContainers = {container("setup")};
  pass.started_before(pass.spec.spec.initContainers[0]);
  const Plan out = pass.at_second(6);
  EXPECT_TRUE(is_idle(out.actions));
  EXPECT_EQ(out.look_again_at, at(15));
  EXPECT_EQ(pass.at_second(15).actions.init_containers_to_start, Indexes{0});
}

TEST(Plan, what_init_containers_left_in_a_dead_sandbox_makes_nobody_wait) {
  Pass pass{.spec = pod({container("app")}),
            .shown = runtime({exited("setup", 1, at(5)), exited("app", 1, at(5))})};
  pass.shown.sandboxes[0].state = cri::SandboxState::kNotReady;
  pass.spec.spec.initContainers = {container("setup")};
  pass.started_before(pass.spec.spec.initContainers[0]);
  const Plan out = pass.at_second(6);
  EXPECT_TRUE(out.actions.create_sandbox);
  EXPECT_TRUE(out.refusals.empty());
  // The exits of a regular container are kept, and count.
  pass.spec.spec.initContainers.clear();
  pass.started_before(pass.spec.spec.containers[0]);
  EXPECT_EQ(pass.at_second(6).refusals.size(), 1U);
}

TEST(Plan, an_open_pull_window_refuses_the_start_unless_the_image_has_come) {
  Pass pass{.spec = pod({container("app")}), .shown = runtime({})};
  pass.pulls = record_pull_failure({}, {}, "uid-1", "app:1", "ErrImagePull", "gone", at(0));
  const Plan refused = pass.at_second(1);
  ASSERT_EQ(refused.refusals.size(), 1U);
  EXPECT_EQ(refused.refusals[0].reason, "ImagePullBackOff");
  EXPECT_EQ(refused.look_again_at, at(10));
  pass.present = {"app:1"};
  EXPECT_EQ(pass.at_second(1).actions.containers_to_start, Indexes{0});
  pass.spec.spec.containers[0].imagePullPolicy = "Always";
  EXPECT_TRUE(pass.at_second(1).actions.containers_to_start.empty());
}

TEST(Plan, the_deadline_is_looked_at_when_it_comes_and_stops_everything) {
  Pass pass{.spec = pod({container("app")}), .shown = runtime({running("app")})};
  pass.spec.spec.activeDeadlineSeconds = 60;
  EXPECT_EQ(pass.at_second(0).look_again_at, std::nullopt);  // not started yet
  pass.start_time = api::Time{at(0)};
  EXPECT_EQ(pass.at_second(59).look_again_at, at(60));
  const Plan out = pass.at_second(60);
  EXPECT_TRUE(out.deadline_exceeded);
  EXPECT_TRUE(is_idle(out.actions));
}

TEST(Plan, the_nearest_of_several_instants_wins) {
  Pass pass{.spec = pod({container("a"), container("b")}),
            .shown = runtime({exited("a", 1, at(5)), exited("b", 1, at(3))})};
  pass.started_before(pass.spec.spec.containers[0]);
  pass.started_before(pass.spec.spec.containers[1]);
  pass.spec.spec.activeDeadlineSeconds = 600;
  pass.start_time = api::Time{at(0)};
  EXPECT_EQ(pass.at_second(6).look_again_at, at(13));
}

using Ids = std::vector<cri::ContainerId>;

TEST(DecidedStarts, in_a_new_sandbox_what_runs_runs_again_and_what_has_ended_if_the_plan_says_so) {
  struct Row {
    const char* policy;
    std::vector<api::Container> inits;
    std::vector<std::string> again;
  };
  const std::vector<Row> rows = {
      {"Always", {}, {"up-id", "odd-id", "done-id", "failed-id"}},
      {"OnFailure", {}, {"up-id", "odd-id", "failed-id"}},
      // With init containers, every container that has ended is judged by its policy, as by the
      // kubelet.
      {"Always", {container("setup")}, {"up-id", "odd-id"}},
      {"OnFailure", {container("setup")}, {"up-id", "odd-id"}},
      {"Never", {}, {}},  // no second sandbox is created
  };
  for (const Row& row : rows) {
    Pass pass{.spec = pod({container("up"), container("odd"), container("done"),
                           container("failed"), container("new"), container("made")},
                          row.policy),
              .shown = runtime({running("up"), record("odd", cri::ContainerState::kUnknown),
                                exited("done", 0), exited("failed", 1),
                                record("made", cri::ContainerState::kCreated)})};
    pass.spec.spec.initContainers = row.inits;
    pass.shown.sandboxes[0].ip.clear();  // so that another sandbox is wanted
    Ids expected;
    for (const std::string& id : row.again) expected.emplace_back(id);
    EXPECT_EQ(decided_starts(pass.spec, pass.shown, pass.at_second(100)), expected) << row.policy;
  }
}

TEST(DecidedStarts, what_is_stopped_to_be_restarted_is_among_them_unless_it_has_to_wait) {
  Pass pass{.spec = pod({container("app"), container("other")}),
            .shown = runtime({running("app"), exited("app", 1, at(5)), running("other")})};
  pass.shown.containers[0].id = cri::ContainerId("second-id");
  pass.shown.containers[0].spec_changed = true;
  EXPECT_EQ(decided_starts(pass.spec, pass.shown, pass.at_second(6)),
            Ids{cri::ContainerId("second-id")});
  pass.started_before(pass.spec.spec.containers[0]);
  const Plan waits = pass.at_second(6);
  EXPECT_EQ(waits.refusals.size(), 1U);
  EXPECT_EQ(decided_starts(pass.spec, pass.shown, waits), Ids{}) << "its policy decides, then";
}

TEST(DecidedStarts, pass_to_what_was_only_created_unless_its_start_failed_where_nothing_restarts) {
  struct Row {
    const char* policy;
    std::optional<std::string> own;
    StartAgain after_failure;
  };
  for (const Row& row :
       {Row{"Always", {}, StartAgain::kStopped}, Row{"OnFailure", {}, StartAgain::kStopped},
        Row{"Never", {}, StartAgain::kByPolicy}, Row{"Never", "OnFailure", StartAgain::kStopped},
        Row{"Always", "Never", StartAgain::kByPolicy}}) {
    api::Pod spec = pod({container("app")}, row.policy);
    spec.spec.containers[0].restartPolicy = row.own;
    RuntimePod shown = runtime({record("app", cri::ContainerState::kCreated, "second"),
                                exited("app", 0), exited("app", 0)});
    shown.containers[1].start_again = StartAgain::kStopped;
    RuntimePod refused = shown;
    pass_on_decided_starts(spec, shown, {}, {});
    EXPECT_EQ(shown.containers[0].start_again, StartAgain::kStopped) << row.policy;
    EXPECT_EQ(shown.containers[2].start_again, StartAgain::kByPolicy);
    pass_on_decided_starts(spec, refused, {{"app", {.reason = "RunContainerError"}}}, {});
    EXPECT_EQ(refused.containers[0].start_again, row.after_failure) << row.policy;
  }
}

TEST(DecidedStarts, are_not_those_of_an_instance_that_has_begun) {
  RuntimePod shown = runtime({running("app"), exited("app", 0)});
  shown.containers[1].start_again = StartAgain::kDecided;
  pass_on_decided_starts(pod({container("app")}), shown, {}, {});
  EXPECT_EQ(shown.containers[0].start_again, StartAgain::kByPolicy);
}

TEST(UnknownPredecessors, end_once_a_newer_instance_was_started) {
  RuntimeContainer old = record("app", cri::ContainerState::kUnknown, "old");
  for (const auto& [newer, ends] :
       {std::pair(running("app"), true), std::pair(exited("app", 0), true),
        std::pair(record("app", cri::ContainerState::kCreated), false)}) {
    const auto kills = unknown_predecessors(runtime({newer, old}));
    ASSERT_EQ(kills.size(), ends ? 1U : 0U);
    if (!ends) continue;
    EXPECT_EQ(kills[0].id, old.id);
    EXPECT_EQ(kills[0].message, "Container is in unknown state, try killing it before removal");
  }
  EXPECT_TRUE(unknown_predecessors(runtime({old})).empty()) << "the plan's own business";
}

}  // namespace
}  // namespace berth::lifecycle::test
