// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/kill_record.hpp"

#include <gtest/gtest.h>

#include "tests/integration/shown_pods.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

api::Pod labelled(api::Pod pod, const char* expected) {
  pod.metadata.labels[kExpectation] = expected;
  return pod;
}

api::Pod ready_pod() {
  return labelled(running_pod(), kReadyPod);
}

api::Pod deaf_pod() {
  return labelled(ending_pod(), kDeafPod);
}

std::optional<WallTime> no_kill(const std::string&) {
  return std::nullopt;
}

TEST(KillRecord, counts_what_it_compares_across_kills) {
  KillRecord record(no_kill);
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  EXPECT_EQ(record.compared().across_kills, 0);
  record.killed(kNow);
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  EXPECT_EQ(record.compared().looks, 3);
  EXPECT_EQ(record.compared().across_kills, 1);
  EXPECT_EQ(record.compared().ids, 1);
  EXPECT_EQ(record.compared().ready, 1);
  EXPECT_EQ(record.compared().backoffs, 0);
  EXPECT_EQ(record.compared().deadlines, 0);
}

TEST(KillRecord, says_what_changed_and_from_what) {
  KillRecord record(no_kill);
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  record.killed(kNow);
  api::Pod other = ready_pod();
  container(other).containerID = "x://b";
  EXPECT_TRUE(
      reports(record.look(other, kNow), {"its id was x://a, is x://b", "before, in life 0"}));
}

TEST(KillRecord, lets_the_time_of_a_condition_move_only_if_it_was_shown_just_before_the_kill) {
  for (const auto shown_for : {500ms, 1500ms}) {
    KillRecord record(no_kill);
    EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
    record.killed(kNow + shown_for);
    api::Pod other = ready_pod();
    condition(other, "Ready").lastTransitionTime = time_at(9);
    EXPECT_EQ(record.look(other, kNow + shown_for).empty(), shown_for < 1s);
  }
}

TEST(KillRecord, judges_by_the_kill_of_the_life_that_showed_it_whatever_lives_came_after) {
  KillRecord record(no_kill);
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  record.killed(kNow + 500ms);
  record.killed(kNow + 1500ms);
  api::Pod other = ready_pod();
  condition(other, "Ready").lastTransitionTime = time_at(9);
  EXPECT_EQ(reported(record.look(other, kNow + 1500ms)), "");
}

TEST(KillRecord, misses_what_is_not_listed_unless_its_manifest_was_removed) {
  KillRecord record(no_kill);
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  EXPECT_EQ(reported(record.list({ready_pod()}, kNow)), "");
  KillRecord warned = record;
  warned.manifest_removed("a-node1");
  EXPECT_EQ(reported(warned.list({}, kNow)), "");
  EXPECT_TRUE(reports(record.list({}, kNow), {"it is gone, and nobody asked"}));
}

TEST(KillRecord, knows_a_pod_that_was_gone) {
  KillRecord record(no_kill);
  const api::Pod pod = labelled(running_pod(), kChangingPod);
  EXPECT_EQ(reported(record.look(pod, kNow)), "");
  EXPECT_EQ(reported(record.list({}, kNow)), "");
  // A state from the same watch may predate the list.
  EXPECT_EQ(reported(record.look(pod, kNow)), "");
  record.killed(kNow);
  EXPECT_TRUE(reports(record.look(pod, kNow), {"is there again with the same uid"}));
  EXPECT_TRUE(reports(record.list({pod}, kNow), {"is listed again"}));
}

TEST(KillRecord, sees_a_name_that_is_listed_twice) {
  KillRecord record(no_kill);
  api::Pod other = ready_pod();
  other.metadata.uid = "v";
  EXPECT_TRUE(reports(record.list({ready_pod(), other}, kNow), {"listed twice"}));
}

TEST(KillRecord, sees_a_stop_that_nobody_asked_for) {
  KillRecord record(no_kill);
  EXPECT_TRUE(reports(record.look(deaf_pod(), kNow), {"nobody asked for that"}));
  record.manifest_removed("a-node1");
  EXPECT_EQ(reported(record.look(deaf_pod(), kNow)), "");
}

TEST(KillRecord, compares_kills_with_the_deadline_that_was_shown) {
  KillRecord record(no_kill);
  record.manifest_removed("a-node1");
  EXPECT_EQ(reported(record.look(deaf_pod(), kNow)), "");
  const auto killed_at = [&](std::int64_t second, int code) {
    return record.exited({.id = "a", .code = code, .at = time_at(second).at});
  };
  EXPECT_TRUE(reports(killed_at(129, 137), {"it had until"}));
  EXPECT_TRUE(reports(killed_at(130, 143), {"it had until"}));
  EXPECT_EQ(reported(killed_at(130, 137)), "");
  EXPECT_EQ(reported(killed_at(138, 137)), "");
  EXPECT_TRUE(reports(killed_at(139, 137), {"it had until"}));
  EXPECT_EQ(record.compared().kills, 5);
  // A berthd that starts only then gives the pod two seconds.
  record.killed(time_at(150).at);
  EXPECT_EQ(reported(killed_at(160, 137)), "");
  EXPECT_TRUE(reports(killed_at(161, 137), {"it had until"}));
}

TEST(KillRecord, knows_who_outlives_a_deadline) {
  KillRecord record(no_kill);
  record.manifest_removed("a-node1");
  EXPECT_EQ(reported(record.look(deaf_pod(), kNow)), "");
  EXPECT_FALSE(record.someone_outlives_deadline(time_at(130).at));
  EXPECT_TRUE(record.someone_outlives_deadline(time_at(131).at));
  api::Pod over = deaf_pod();
  container(over).state = {};
  container(over).state.terminated = ended("x://a", 130, 137);
  EXPECT_EQ(reported(record.look(over, time_at(131).at)), "");
  EXPECT_FALSE(record.someone_outlives_deadline(time_at(131).at));
}

TEST(KillRecord, judges_an_end_that_the_runtime_holds_back_by_its_kill) {
  std::optional<WallTime> sent = time_at(132).at;
  KillRecord record([&sent](const std::string& id) { return id == "a" ? sent : std::nullopt; });
  record.manifest_removed("a-node1");
  EXPECT_EQ(reported(record.look(deaf_pod(), kNow)), "");
  EXPECT_FALSE(record.someone_outlives_deadline(time_at(150).at));
  EXPECT_EQ(reported(record.look(deaf_pod(), time_at(150).at)), "");
  const auto exited_at = [&record](std::int64_t second) {
    return record.exited({.id = "a", .code = 137, .at = time_at(second).at});
  };
  EXPECT_EQ(reported(exited_at(162)), "");
  EXPECT_TRUE(reports(exited_at(171), {"the runtime said so at"}));
  for (const std::int64_t second : {129, 139}) {  // too early, too late
    sent = time_at(second).at;
    EXPECT_TRUE(reports(exited_at(140), {"it had until"}));
  }
}

TEST(KillRecord, wonders_about_a_deaf_pod_that_goes_before_its_deadline) {
  KillRecord record(no_kill);
  record.manifest_removed("a-node1");
  EXPECT_EQ(reported(record.look(deaf_pod(), kNow)), "");
  EXPECT_TRUE(reports(record.list({}, time_at(129).at), {"and had until"}));
}

TEST(KillRecord, sees_the_end_of_what_should_run_on) {
  KillRecord record(no_kill);
  EXPECT_EQ(reported(record.look(ready_pod(), kNow)), "");
  const ContainerExit exit{.id = "a", .code = 0, .at = kNow};
  EXPECT_TRUE(reports(record.exited(exit), {"should run on"}));
  EXPECT_EQ(reported(record.exited({.id = "of nobody", .code = 0, .at = kNow})), "");
}

TEST(KillRecord, holds_to_the_next_time_that_was_shown_until_it_has_come) {
  KillRecord record(no_kill);
  const api::Pod pod = labelled(waiting_pod(2), kRestartingPod);
  EXPECT_EQ(reported(record.look(pod, kNow)), "");
  EXPECT_EQ(reported(record.compare_next(pod, time_at(120).at, kNow)), "");
  record.killed(kNow);
  EXPECT_EQ(reported(record.compare_next(pod, time_at(120).at, kNow)), "");
  record.killed(kNow);
  EXPECT_TRUE(
      reports(record.compare_next(pod, time_at(121).at, kNow), {"what comes next was to be at"}));
  record.killed(kNow);
  EXPECT_EQ(reported(record.compare_next(pod, time_at(161).at, time_at(121).at)), "");
  EXPECT_EQ(record.compared().next_times, 3);
}

TEST(RuntimeTasks, are_read_from_the_tools_list) {
  const auto tasks =
      parse_tasks("TASK    PID     STATUS    \nx       5966    STOPPED\ny 1 RUNNING\n");
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].id, "x");
  EXPECT_EQ(tasks[0].pid, 5966);
  EXPECT_EQ(tasks[0].status, "STOPPED");
  EXPECT_EQ(tasks[1].status, "RUNNING");
  EXPECT_TRUE(parse_tasks("TASK PID STATUS\n").empty());
}

TEST(RuntimeTasks, end_at_a_time_that_each_release_writes_in_its_way) {
  const std::string head = "2026-11-23 03:25:14.32 +0000 UTC k8s.io /tasks/exit ";
  const auto of_1_6 = parse_exit(
      head +
      R"({"container_id":"x","id":"x","pid":7,"exit_status":3,"exited_at":"2026-11-23T03:25:14.5Z"})");
  const auto of_1_7 = parse_exit(
      head +
      R"({"container_id":"x","id":"x","pid":7,"exited_at":{"seconds":1795404314,"nanos":500000000}})");
  ASSERT_TRUE(of_1_6);
  ASSERT_TRUE(of_1_7);
  EXPECT_EQ(of_1_6->id, "x");
  EXPECT_EQ(of_1_6->code, 3);
  EXPECT_EQ(of_1_7->code, 0);
  EXPECT_EQ(of_1_6->at, of_1_7->at);
  EXPECT_FALSE(parse_exit(
      head + R"({"container_id":"x","id":"of an exec","exited_at":"2026-11-23T03:25:14Z"})"));
  EXPECT_FALSE(
      parse_exit(head + R"({"container_id":"x","id":"x","exited_at":{"seconds":-62135596800}})"))
      << "containerd knows no time";
  EXPECT_FALSE(parse_exit("2026-11-23 03:25:13.3 +0000 UTC k8s.io /tasks/start {\"id\":\"x\"}"));
}

TEST(RuntimeTasks, of_a_sandbox_may_be_left_by_a_runtime_that_says_it_removed_it) {
  const std::string refused = "error=\"cannot delete running task a: failed precondition\"\n";
  const std::string removed = R"(msg="RemovePodSandbox \"a\" returns successfully")";
  EXPECT_TRUE(removed_by_word_alone(refused + removed, "a"));
  EXPECT_FALSE(removed_by_word_alone(removed + refused, "a"));
  EXPECT_FALSE(removed_by_word_alone(refused, "a"));
  EXPECT_FALSE(removed_by_word_alone(removed, "a"));
  EXPECT_FALSE(removed_by_word_alone(refused + removed, "b"));
}

TEST(RuntimeTasks, are_sent_kill_at_a_time_that_the_log_of_containerd_has) {
  const std::string log =
      "time=\"2026-11-23T03:25:12Z\" level=info msg=\"StopContainer for \\\"x\\\" with timeout 2 "
      "(s)\"\n"
      "time=\"2026-11-23T03:25:14.5Z\" level=info msg=\"Kill container \\\"x\\\"\"\n";
  EXPECT_EQ(kill_sent(log, "x"), api::Time::parse("2026-11-23T03:25:14.5Z")->at);
  EXPECT_FALSE(kill_sent(log, "y"));
  EXPECT_FALSE(kill_sent("", "x"));
}

TEST(RuntimeTasks, that_are_not_deleted_are_named_in_the_log) {
  const std::string id(64, 'a');
  const std::string refusal = "cannot delete running task " + id + ": failed precondition\n";
  EXPECT_EQ(refused_deletions("x\n" + refusal + "y\n" + refusal), (std::set<std::string>{id}));
}

}  // namespace
}  // namespace berth::integration
