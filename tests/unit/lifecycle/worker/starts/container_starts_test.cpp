// SPDX-License-Identifier: Apache-2.0

// The records of a pod's starts, after each step of a start.
#include "lifecycle/worker/starts/container_starts.hpp"

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

const WallTime kNow{24h};

std::shared_ptr<api::Pod> made_pod() {
  auto pod = std::make_shared<api::Pod>();
  pod->metadata.uid = "u1";
  pod->spec.containers = {{.name = "app", .image = "busybox"}};
  return pod;
}

RuntimeContainer instance(const char* id, cri::ContainerState state) {
  return {.id = cri::ContainerId(id), .name = "app", .state = state};
}

class ContainerStartsTest : public ::testing::Test {
 protected:
  void begin(const char* id, std::optional<WallTime> last_exit = std::nullopt) {
    starts.begin_start("app", {.id = id,
                               .identity = restart_identity(*pod, pod->spec.containers[0]),
                               .last_exit = last_exit,
                               .at = kNow});
  }
  void settle(const std::set<std::string>& created) { starts.settle(created, {}); }
  [[nodiscard]] PodMemory stored() const {
    PodMemory memory;
    starts.put_into(memory);
    return memory;
  }
  [[nodiscard]] ContainerStarts after_restart() const {
    ContainerStarts next("u1");
    next.recall(stored(), *pod);
    return next;
  }

  std::shared_ptr<api::Pod> pod = made_pod();
  ContainerStarts starts{"u1"};
};

// Somebody may put a file of any name into the folder of the logs.
TEST_F(ContainerStartsTest, the_number_after_the_largest_is_one_more) {
  starts.attempt_logged("app", std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(starts.next_attempt("app"), 2'147'483'648U);
}

TEST_F(ContainerStartsTest, no_number_is_given_twice) {
  EXPECT_EQ(starts.next_attempt("app"), std::nullopt);
  starts.attempt_logged("app", -1);
  EXPECT_EQ(starts.next_attempt("app"), 0U);
  starts.created("app", 0);
  EXPECT_EQ(starts.next_attempt("app"), 1U);
  starts.attempt_seen("app", 4);
  EXPECT_EQ(starts.next_attempt("app"), 5U);
  starts.attempt_seen("app", 2);
  EXPECT_EQ(starts.next_attempt("app"), 5U) << "the record of the fourth may be gone";
  starts.attempt_logged("app", 7);
  EXPECT_EQ(starts.next_attempt("app"), 5U) << "logs only count where nothing else is known";
}

TEST_F(ContainerStartsTest, numbers_outlive_berthd) {
  starts.attempt_seen("app", 4);
  EXPECT_EQ(after_restart().next_attempt("app"), 5U);
}

TEST_F(ContainerStartsTest,
       a_start_counts_for_the_backoff_once_the_runtime_shows_that_it_came_off) {
  begin("c2", kNow - 1s);
  EXPECT_TRUE(starts.is_starting("app", "c2"));
  settle({"c2"});
  EXPECT_TRUE(starts.is_starting("app", "c2"));
  EXPECT_TRUE(starts.restarts().entries.empty());
  settle({});
  EXPECT_FALSE(starts.is_starting("app", "c2"));
  ASSERT_EQ(starts.restarts().entries.size(), 1U);
  EXPECT_EQ(starts.restarts().entries.begin()->second.last_start, kNow);
  EXPECT_EQ(starts.restarts().entries.begin()->second.window, RestartBackoffPolicy{}.initial);
  const RestartBackoff once = starts.restarts();
  settle({});
  EXPECT_EQ(starts.restarts(), once) << "it counts once";
}

TEST_F(ContainerStartsTest, a_start_that_was_not_called_leaves_an_earlier_one_pending) {
  begin("c2", kNow - 1s);
  const auto earlier = starts.pending("app", "c2");
  ASSERT_TRUE(earlier);
  EXPECT_FALSE(starts.pending("app", "c3"));
  begin("c2", kNow - 500ms);
  starts.call_off_start("app", earlier);
  EXPECT_EQ(starts.pending("app", "c2")->last_exit, kNow - 1s);
  starts.call_off_start("app");
  EXPECT_TRUE(starts.pending_starts().empty());
}

TEST_F(ContainerStartsTest, a_restart_that_is_pending_outlives_berthd_and_a_first_start_need_not) {
  begin("c2", kNow - 1s);
  EXPECT_TRUE(after_restart().is_starting("app", "c2"));
  begin("c1");
  EXPECT_TRUE(stored().pending_starts.empty());
}

TEST_F(ContainerStartsTest, a_backoff_outlives_berthd_and_is_forgotten_when_it_is_old) {
  begin("c2", kNow - 1s);
  settle({});
  ASSERT_FALSE(starts.restarts().entries.empty());
  EXPECT_EQ(after_restart().restarts(), starts.restarts());
  starts.forget_old_failures({}, kNow + 600s);
  EXPECT_FALSE(starts.restarts().entries.empty());
  starts.forget_old_failures({}, kNow + 601s);
  EXPECT_TRUE(starts.restarts().entries.empty());
}

TEST_F(ContainerStartsTest, a_pending_start_of_a_container_that_the_spec_has_no_more_is_dropped) {
  begin("c2", kNow - 1s);
  pod->spec.containers.clear();
  EXPECT_TRUE(after_restart().pending_starts().empty());
}

TEST_F(ContainerStartsTest, an_error_stays_until_a_start_succeeds) {
  starts.failed("app", "CreateContainerError", "no");
  EXPECT_EQ(starts.errors().at("app").message, "no");
  starts.started("app", "c1", false);
  EXPECT_TRUE(starts.errors().empty());
}

TEST_F(ContainerStartsTest, a_refusal_is_reported_once_for_each_window) {
  StartRefusal refusal{.container = "app", .reason = "CrashLoopBackOff", .until = kNow + 10s};
  EXPECT_TRUE(starts.refused(refusal));
  EXPECT_FALSE(starts.refused(refusal));
  EXPECT_EQ(starts.errors().at("app").reason, "CrashLoopBackOff");
  refusal.until = kNow + 20s;
  EXPECT_TRUE(starts.refused(refusal));
  starts.started("app", "c1", false);
  EXPECT_TRUE(starts.refused(refusal)) << "it has run in between";
}

TEST_F(ContainerStartsTest, an_error_stands_while_the_postStart_hook_runs) {
  starts.failed("app", "RunContainerError", "no");
  starts.started("app", "c1", true);
  EXPECT_EQ(starts.post_starts().at("app").str(), "c1");
  EXPECT_EQ(starts.errors().size(), 1U);
  EXPECT_TRUE(starts.returned_post_starts().empty());
  EXPECT_FALSE(starts.post_start_returned("app", "c0", {})) << "an earlier instance's";
  EXPECT_TRUE(starts.post_start_returned("app", "c1", {}));
  EXPECT_TRUE(starts.any_post_start()) << "it has not been handed over";
  const auto returned = starts.returned_post_starts();
  ASSERT_EQ(returned.size(), 1U);
  EXPECT_EQ(returned[0].hook.id, "c1");
  EXPECT_FALSE(starts.any_post_start());
  EXPECT_TRUE(starts.errors().empty());
}

TEST_F(ContainerStartsTest, a_hook_that_failed_is_why_its_container_waits) {
  starts.started("app", "c1", true);
  EXPECT_TRUE(starts.post_start_returned("app", "c1", {.failure = "exit 1"}));
  EXPECT_EQ(starts.returned_post_starts().size(), 1U);
  EXPECT_EQ(starts.errors().at("app").reason, "PostStartHookError");
  EXPECT_EQ(starts.errors().at("app").message, "exit 1");
}

TEST_F(ContainerStartsTest, that_the_end_waits_for_a_hook_is_reported_once) {
  EXPECT_EQ(starts.report_hook_wait(), std::nullopt);
  starts.started("app", "c1", true);
  EXPECT_EQ(starts.report_hook_wait(), "app");
  EXPECT_EQ(starts.report_hook_wait(), std::nullopt);
}

TEST_F(ContainerStartsTest, files_made_ahead_are_for_one_instance_and_its_addresses) {
  EXPECT_FALSE(starts.wants_files("app")) << "its number is not known";
  starts.attempt_logged("app", -1);
  EXPECT_TRUE(starts.wants_files("app"));
  starts.begin_files({"app"});
  EXPECT_TRUE(starts.makes_files("app"));
  const ContainerFilesReady ready{
      .attempt = 0, .pod_ips = {"10.0.0.1"}, .files = {.etc_hosts = "/hosts"}};
  starts.files_made("app", ready);
  EXPECT_FALSE(starts.makes_files());
  EXPECT_FALSE(starts.wants_files("app"));
  EXPECT_EQ(starts.use_files("app", 0, {"10.0.0.1"})->etc_hosts, "/hosts");
  EXPECT_EQ(starts.use_files("app", 0, {"10.0.0.1"}), std::nullopt) << "they are used once";
  starts.files_made("app", ready);
  EXPECT_EQ(starts.use_files("app", 1, {"10.0.0.1"}), std::nullopt);
  starts.files_made("app", ready);
  EXPECT_EQ(starts.use_files("app", 0, {"10.0.0.2"}), std::nullopt);
  starts.files_made("app", std::nullopt);
  EXPECT_TRUE(starts.wants_files("app")) << "they could not be made";
}

TEST_F(ContainerStartsTest, a_look_ahead_for_another_sandbox_forgets_what_the_last_one_found) {
  starts.images().see("busybox", {.reference = "sha256:1"});
  starts.files_made("app", ContainerFilesReady{});
  EXPECT_TRUE(starts.begin_look_ahead());
  EXPECT_FALSE(starts.images().seen("busybox"));
  EXPECT_EQ(starts.use_files("app", 0, {}), std::nullopt);
  EXPECT_FALSE(starts.begin_look_ahead()) << "one is under way";
  starts.end_look_ahead();
  EXPECT_TRUE(starts.begin_look_ahead());
}

// -- What plans have decided to start again.

class StartAgainDecision : public ContainerStartsTest {
 protected:
  // The plan stops that instance in order to start the container again.
  void decide(const char* id) {
    Plan plan;
    plan.actions.containers_to_kill = {{.id = cri::ContainerId(id), .name = "app"}};
    plan.actions.containers_to_start = {0};
    starts.keep_decided(*pod, {.containers = {instance(id, cri::ContainerState::kRunning)}}, plan);
  }
  void let_be(std::vector<RuntimeContainer> containers, Plan plan = {}) {
    starts.keep_decided(*pod, {.containers = std::move(containers)}, plan);
  }
  [[nodiscard]] bool decided() const { return !starts.start_again().empty(); }
};

TEST_F(StartAgainDecision, stands_until_the_container_has_been_started) {
  decide("c1");
  EXPECT_EQ(starts.start_again().at("c1"), StartAgain::kDecided);
  let_be({instance("c1", cri::ContainerState::kExited)});
  EXPECT_TRUE(decided());
  let_be({instance("c2", cri::ContainerState::kCreated),
          instance("c1", cri::ContainerState::kExited)});
  EXPECT_TRUE(decided()) << "created is not started";
  let_be({instance("c2", cri::ContainerState::kRunning),
          instance("c1", cri::ContainerState::kExited)});
  EXPECT_FALSE(decided());
}

TEST_F(StartAgainDecision, is_lost_if_a_later_plan_lets_the_container_run) {
  decide("c1");
  let_be({instance("c1", cri::ContainerState::kRunning)});
  EXPECT_FALSE(decided());
}

TEST_F(StartAgainDecision, stands_while_the_agent_stops_the_container) {
  decide("c1");
  starts.stopped_to_start_again("c1");
  EXPECT_EQ(starts.start_again().at("c1"), StartAgain::kStopped);
  let_be({instance("c1", cri::ContainerState::kRunning)});
  EXPECT_TRUE(decided());
  starts.stopped_to_start_again("c9");
  EXPECT_EQ(starts.start_again().size(), 1U) << "nobody decided anything of that one";
}

TEST_F(StartAgainDecision, is_lost_if_the_container_turns_out_to_have_ended_by_itself) {
  decide("c1");
  starts.ended_by_itself("c1");
  EXPECT_FALSE(decided());
}

TEST_F(StartAgainDecision, ends_with_its_pod) {
  decide("c1");
  Plan end;
  end.actions.kill_pod = true;
  let_be({instance("c1", cri::ContainerState::kExited)}, end);
  EXPECT_FALSE(decided());
}

TEST_F(StartAgainDecision, outlives_berthd) {
  decide("c1");
  EXPECT_EQ(after_restart().start_again(), starts.start_again());
}

}  // namespace
}  // namespace berth::lifecycle
