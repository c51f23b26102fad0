// SPDX-License-Identifier: Apache-2.0

// Passes of berthd itself over unrecorded cases: where two manners meet, and findings of the
// comparison of whole passes.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/conformance/adapter.hpp"
#include "tests/conformance/made_up_case.hpp"

namespace berth::conformance {
namespace {

// berthd's calls; its whole answer must be the predicted one.
Ops calls_of(const Case& made_up) {
  const Kind kind = sync_kinds().at(0);
  const Answers answers = made_up.answers();
  const json::value actual = kind.run(answers.input);
  const auto difference = kind.compare(answers.theirs, actual);
  EXPECT_FALSE(difference) << *difference;
  return ops_of(actual.as_object());
}

bool has(const Ops& calls, const std::string& call) {
  return std::ranges::find(calls, call) != calls.end();
}

constexpr std::int64_t kJustNow = 1'756'718'598 * kSecond;

TEST(MadeUpPasses, an_exit_behind_an_unknown_instance_is_kept) {
  Case made("Always");
  made.init("init").container("main");
  made.record("m1", "main", "running")
      .record("i2", "init", "unknown")
      .record("i1", "init", "exited");
  EXPECT_EQ(calls_of(made), Ops{});
}

TEST(MadeUpPasses, a_container_whose_hook_failed_is_pulled_again_for_its_next_start) {
  Case made("Always");
  made.container("main", {{"lifecycle", kHook}, {"imagePullPolicy", "Always"}});
  made.fails("postStartHook", "main");
  EXPECT_EQ(calls_of(made),
            (Ops{"PullImage app:1", "CreateContainer main", "StartContainer main new-main",
                 "PostStartHook main", "StopContainer main new-main", "PullImage app:1"}));
}

TEST(MadeUpPasses, an_image_that_could_not_be_pulled_is_not_asked_for_again_at_once) {
  Case made("Always");
  made.container("main", {{"image", "other:1"}}).container("second", {{"image", "other:1"}});
  made.fails("pullImage", "other:1");
  EXPECT_EQ(calls_of(made), (Ops{"PullImage other:1"}));
}

TEST(MadeUpPasses, a_created_container_fails_as_any_other) {
  Case hook("Always");
  hook.container("main", {{"lifecycle", kHook}}).container("other");
  hook.record("m1", "main", "created").fails("postStartHook", "main");
  EXPECT_EQ(calls_of(hook),
            (Ops{"StartContainer main m1", "PostStartHook main", "StopContainer main m1",
                 "CreateContainer other", "StartContainer other new-other"}));
  Case pull("Always");
  pull.container("main", {{"imagePullPolicy", "Always"}});
  pull.record("m1", "main", "created", {{"specChanged", true}}).fails("pullImage", "app:1");
  EXPECT_EQ(calls_of(pull), (Ops{"PullImage app:1"}));
}

TEST(MadeUpPasses, an_unknown_regular_container_is_stopped_before_a_sidecar_is_started) {
  Case made("Always");
  made.sidecar("side").container("main").container("other");
  made.record("o1", "other", "running").record("m1", "main", "unknown");
  made.record("s1", "side", "exited");
  EXPECT_EQ(calls_of(made),
            (Ops{"StopContainer main m1", "CreateContainer side", "StartContainer side new-side",
                 "CreateContainer main", "StartContainer main new-main"}));
}

TEST(MadeUpPasses, a_restarted_sidecar_whose_hook_fails_holds_back_nobody) {
  Case made("Always");
  made.sidecar("side", {{"lifecycle", kHook}}).container("main").container("other");
  made.record("m1", "main", "running").record("s1", "side", "exited");
  made.fails("postStartHook", "side");
  const Ops calls = calls_of(made);
  EXPECT_TRUE(has(calls, "StopContainer side new-side"));
  EXPECT_TRUE(has(calls, "StartContainer other new-other"));
}

TEST(MadeUpPasses, a_refusal_is_reported_before_a_stop_that_fails) {
  Case made("Always");
  made.container("main").container("other").container("third");
  made.record("m1", "main", "unknown").record("t1", "third", "running");
  made.record("o1", "other", "exited", {{"finishedAt", kJustNow}});
  made.in_backoff("other").fails("stopContainer", "main");
  EXPECT_EQ(calls_of(made), (Ops{"StopContainer main m1"}));
}

TEST(MadeUpPasses, an_image_that_must_not_be_pulled_is_reported_though_the_status_shows_an_exit) {
  Case made("Always");
  made.init("init", {{"image", "other:1"}, {"imagePullPolicy", "Never"}}).container("main");
  made.record("i1", "init", "exited").sandbox("notready", "10.88.0.1");
  EXPECT_EQ(calls_of(made), (Ops{"StopPodSandbox s1", "RemoveContainer init i1", "RunPodSandbox"}));
}

TEST(MadeUpPasses, a_run_once_pod_goes_on_while_the_hook_of_its_restarted_container_runs) {
  Case made("Never");
  made.container("main", {{"lifecycle", kHook}});
  made.record("m1", "main", "running", {{"specChanged", true}});
  EXPECT_EQ(calls_of(made), (Ops{"StopContainer main m1", "CreateContainer main",
                                 "StartContainer main new-main", "PostStartHook main"}));
}

TEST(MadeUpPasses, a_pod_is_not_over_before_what_may_still_run_has_ended) {
  Case made("Never");
  made.init("init").sidecar("side").container("main").sandbox("notready", "10.88.0.1");
  made.record("s2", "side", "unknown").record("i1", "init", "exited", {{"exitCode", 1}});
  EXPECT_EQ(calls_of(made), (Ops{"StopContainer side s2", "StopPodSandbox s1"}))
      << "and the record of how it ended stays";
}

TEST(MadeUpPasses, no_sandbox_is_made_for_what_turns_out_to_be_over) {
  Case made("OnFailure");
  made.container("main").sandbox("ready", "");
  made.record("m2", "main", "created");
  made.record("m1", "main", "exited", {{"sandbox", "gone"}});
  EXPECT_EQ(calls_of(made), (Ops{"StopPodSandbox s1", "RemoveContainer main m2"}));
}

TEST(MadeUpPasses, a_restart_whose_start_is_refused_waits_for_no_backoff) {
  Case made("Always");
  made.container("main").container("other").container("third");
  made.record("m1", "main", "unknown").in_backoff("main").fails("startContainer", "main");
  // Each later start is a turn in which the refused one is considered again.
  EXPECT_EQ(calls_of(made),
            (Ops{"StopContainer main m1", "CreateContainer main", "StartContainer main new-main",
                 "CreateContainer other", "StartContainer other new-other", "CreateContainer third",
                 "StartContainer third new-third"}));
}

TEST(MadeUpPasses, an_end_waits_for_no_start_that_was_refused) {
  Case made("Never");
  made.container("main").record("m1", "main", "unknown").fails("startContainer", "main");
  EXPECT_EQ(calls_of(made),
            (Ops{"StopContainer main m1", "CreateContainer main", "StartContainer main new-main",
                 "StopPodSandbox s1", "RemoveContainer main new-main"}));
}

}  // namespace
}  // namespace berth::conformance
