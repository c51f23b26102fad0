// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/shown_changes.hpp"

#include <gtest/gtest.h>

#include "tests/integration/shown_pods.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

// The differences between a state and the same state after a change.
template <class Change>
Differences changed(const api::Pod& before, Change change, const ShownAt& at = {.now = kNow}) {
  api::Pod after = before;
  change(after);
  return forbidden_changes(before, after, at);
}

TEST(ForbiddenChanges, are_none_where_nothing_changed) {
  for (const api::Pod& pod : {running_pod(), waiting_pod(1), ending_pod()})
    EXPECT_EQ(reported(forbidden_changes(pod, pod, {.now = kNow})), "");
}

TEST(ForbiddenChanges, are_another_id_behind_the_same_restart_count) {
  EXPECT_TRUE(
      reports(changed(running_pod(), [](auto& pod) { container(pod).containerID = "x://b"; }),
              {"its id was x://a, is x://b"}));
}

TEST(ForbiddenChanges, are_the_same_id_behind_another_restart_count) {
  EXPECT_TRUE(reports(changed(running_pod(), [](auto& pod) { container(pod).restartCount = 1; }),
                      {"has the id of before"}));
}

TEST(ForbiddenChanges, are_restarts_that_become_fewer) {
  EXPECT_TRUE(reports(changed(waiting_pod(2), [](auto& pod) { container(pod).restartCount = 1; }),
                      {"its restart count was 2, is 1"}));
}

TEST(ForbiddenChanges, are_a_readiness_that_goes_while_the_container_runs) {
  const auto found = changed(running_pod(), [](auto& pod) {
    container(pod).ready = false;
    condition(pod, "Ready").status = "False";
  });
  EXPECT_TRUE(reports(found, {"was ready, and is not any more"}));
}

TEST(ForbiddenChanges, are_a_condition_that_goes_for_no_reason_that_is_shown) {
  for (const char* type : {"Ready", "Initialized"})
    EXPECT_TRUE(
        reports(changed(running_pod(), [&](auto& pod) { condition(pod, type).status = "False"; }),
                {"for no reason"}));
}

TEST(ForbiddenChanges, are_a_time_that_moves_while_its_condition_stays) {
  const auto move = [](auto& pod) { condition(pod, "Ready").lastTransitionTime = time_at(9); };
  EXPECT_TRUE(reports(changed(running_pod(), move), {"and was since"}));
  EXPECT_EQ(reported(changed(running_pod(), move, {.now = kNow, .stored_before = false})), "");
}

TEST(ForbiddenChanges, are_not_a_time_that_moves_with_a_restart_that_has_ended_as_well) {
  const auto later = [](auto& pod) { condition(pod, "Ready").lastTransitionTime = time_at(9); };
  EXPECT_TRUE(reports(changed(waiting_pod(2), later), {"and was since"}));
  const std::string found = reported(changed(waiting_pod(2), [&](auto& pod) {
    later(pod);
    container(pod).restartCount = 3;
  }));
  EXPECT_EQ(found.find("its condition"), std::string::npos) << found;
}

TEST(ForbiddenChanges, are_a_deadline_that_moves_or_goes) {
  EXPECT_TRUE(reports(
      changed(ending_pod(),
              [](auto& pod) { pod.metadata.deletionTimestamp->at += std::chrono::seconds(1); }),
      {"its deletionTimestamp was"}));
  EXPECT_TRUE(
      reports(changed(ending_pod(), [](auto& pod) { pod.metadata.deletionTimestamp.reset(); }),
              {"its deletionTimestamp was"}));
}

TEST(ForbiddenChanges, are_not_a_deadline_that_there_was_no_time_to_store) {
  const auto move = [](auto& pod) { pod.metadata.deletionTimestamp = time_at(131); };
  EXPECT_EQ(reported(changed(ending_pod(), move, {.now = kNow, .stored_before = false})), "");
}

TEST(ForbiddenChanges, are_a_start_time_and_an_address_that_move) {
  EXPECT_TRUE(reports(changed(running_pod(), [](auto& pod) { pod.status.startTime = time_at(9); }),
                      {"its startTime"}));
  EXPECT_EQ(reported(changed(running_pod(), [](auto& pod) { pod.status.startTime = time_at(9); },
                             {.now = kNow, .stored_before = false})),
            "");
  EXPECT_TRUE(reports(changed(running_pod(), [](auto& pod) { pod.status.podIP = "10.0.0.9"; }),
                      {"its podIP"}));
  EXPECT_TRUE(
      reports(changed(running_pod(), [](auto& pod) { pod.status.podIP.clear(); }), {"its podIP"}));
}

TEST(ForbiddenChanges, are_a_final_phase_that_is_not) {
  EXPECT_TRUE(reports(changed(over_pod(), [](auto& pod) { pod.status.phase = "Running"; }),
                      {"its phase was Succeeded, is Running"}));
}

TEST(ForbiddenChanges, are_a_wait_that_is_cut_short) {
  const auto run_again = [](std::int64_t second) {
    return [second](auto& pod) { pod = restarted(pod, second); };
  };
  // The container ended at 100 and waits 20 s.
  EXPECT_TRUE(reports(changed(waiting_pod(2), run_again(119)), {"its backoff was over at"}));
  EXPECT_EQ(reported(changed(waiting_pod(2), run_again(120))), "");
  EXPECT_EQ(reported(changed(waiting_pod(2), run_again(128))), "");
  EXPECT_TRUE(reports(changed(waiting_pod(2), run_again(129)), {"its backoff was over at"}));
}

TEST(ForbiddenChanges, are_a_wait_that_begins_anew) {
  const auto found = changed(waiting_pod(2), [](auto& pod) {
    container(pod).lastState.terminated->finishedAt = time_at(105);
  });
  EXPECT_TRUE(reports(found, {"the time of its end"}));
}

TEST(ForbiddenChanges, are_a_wait_that_is_forgotten) {
  const auto show_the_end = [](auto& pod) {
    container(pod).state = container(pod).lastState;
    container(pod).lastState = {};
  };
  EXPECT_TRUE(reports(changed(waiting_pod(2), show_the_end, {.now = time_at(119).at}),
                      {"it was waiting (CrashLoopBackOff), and is terminated"}));
  EXPECT_EQ(reported(changed(waiting_pod(2), show_the_end, {.now = time_at(120).at})), "");
}

// When berthd is killed in the middle of a create, the create continues in the runtime.
TEST(ForbiddenChanges, are_not_a_create_that_is_still_under_way_once_the_wait_is_over) {
  const auto refused = [](const char* message) {
    return [message](auto& pod) {
      container(pod).state.waiting =
          api::ContainerStateWaiting{.reason = "CreateContainerError", .message = message};
    };
  };
  const auto reserved = refused("failed to reserve container name: name is reserved for \"abc\"");
  EXPECT_EQ(reported(changed(waiting_pod(2), reserved, {.now = time_at(120).at})), "");
  const char* other = "it was waiting (CrashLoopBackOff), and is waiting (CreateContainerError)";
  EXPECT_TRUE(reports(changed(waiting_pod(2), reserved, {.now = time_at(119).at}), {other}));
  EXPECT_TRUE(reports(changed(waiting_pod(2), refused("no space left"), {.now = time_at(120).at}),
                      {other}));
}

TEST(ForbiddenChanges, are_a_container_that_is_shown_no_more) {
  EXPECT_TRUE(
      reports(changed(running_pod(), [](auto& pod) { pod.status.containerStatuses.clear(); }),
              {"it is shown no more"}));
}

TEST(ForbiddenChanges, are_an_end_that_comes_out_otherwise) {
  EXPECT_TRUE(
      reports(changed(over_pod(), [](auto& pod) { container(pod).state.terminated->exitCode = 3; }),
              {"its exit code was 0, is 3"}));
  EXPECT_TRUE(reports(changed(over_pod(),
                              [](auto& pod) {
                                container(pod).state = {};
                                container(pod).state.waiting = api::ContainerStateWaiting{};
                              }),
                      {"how it ended is forgotten"}));
}

TEST(ForbiddenChanges, are_not_an_end_ahead_of_the_runtime_that_there_was_no_time_to_store) {
  api::Pod running = running_pod();
  api::Pod before = running;
  const auto started = container(before).state.running->startedAt;
  container(before).state = {};
  container(before).state.terminated = api::ContainerStateTerminated{
      .exitCode = 0, .startedAt = started, .containerID = container(before).containerID};
  const auto run = [&](auto& pod) { container(pod).state = container(running).state; };
  EXPECT_TRUE(reports(changed(before, run), {"how it ended is forgotten"}));
  EXPECT_EQ(reported(changed(before, run, {.now = kNow, .stored_before = false})), "");
}

// The same for a container that is to start again: what was shown is its backoff.
TEST(ForbiddenChanges, are_not_a_wait_ahead_of_the_runtime_that_there_was_no_time_to_store) {
  const auto run = [](auto& pod) {
    auto& status = container(pod);
    status.state = {};
    status.state.running =
        api::ContainerStateRunning{.startedAt = status.lastState.terminated->startedAt};
    status.lastState = {};
  };
  EXPECT_TRUE(
      reports(changed(waiting_pod(2), run),
              {"how it ended is forgotten", "it was waiting (CrashLoopBackOff), and is running"}));
  EXPECT_EQ(reported(changed(waiting_pod(2), run, {.now = kNow, .stored_before = false})), "");
  const auto run_another = [&run](auto& pod) {
    run(pod);
    container(pod).containerID = "x://b";
  };
  EXPECT_TRUE(reports(changed(waiting_pod(2), run_another, {.now = kNow, .stored_before = false}),
                      {"its id was x://a, is x://b"}));
}

// Restart 2 was created, and will never be started.
TEST(ForbiddenChanges, are_not_the_end_of_before_shown_again_as_the_pod_ends) {
  api::Pod before = waiting_pod(1);
  container(before).restartCount = 2;
  container(before).containerID = "x://b";
  container(before).state.waiting = api::ContainerStateWaiting{};
  const auto show_the_end = [](auto& pod) {
    container(pod).containerID = "x://a";
    container(pod).state = container(pod).lastState;
    container(pod).lastState = {};
  };
  EXPECT_TRUE(reports(changed(before, show_the_end),
                      {"its id was x://b, is x://a", "how it ended is forgotten"}));
  before.metadata.deletionTimestamp = time_at(130);
  EXPECT_EQ(reported(changed(before, show_the_end)), "");
  // The container was started nevertheless, and ended: the previous instance's end must stay.
  const auto end_otherwise = [](auto& pod) {
    container(pod).state.terminated = ended("x://b", 101, 0);
    container(pod).state.waiting.reset();
  };
  EXPECT_EQ(reported(changed(before, end_otherwise)), "");
}

// Restart 2 was given up, although its start had begun.
TEST(ForbiddenChanges, are_not_a_start_that_comes_all_the_same_as_the_pod_ends) {
  api::Pod before = waiting_pod(2);
  container(before).state = container(before).lastState;
  container(before).lastState = {};
  const auto come = [](auto& pod) {
    container(pod).containerID = "x://b";
    container(pod).lastState = container(pod).state;
    container(pod).state.terminated = ended("x://b", 101, 128);
  };
  EXPECT_NE(reported(changed(before, come)), "");
  before.metadata.deletionTimestamp = time_at(130);
  EXPECT_EQ(reported(changed(before, come)), "");
}

TEST(ForbiddenChanges, are_not_a_made_up_end_that_there_was_no_time_to_store) {
  api::Pod before = ending_pod();
  auto& status = container(before);
  status = {.name = "c"};
  status.state.terminated =
      api::ContainerStateTerminated{.exitCode = 137, .reason = "ContainerStatusUnknown"};
  const auto wait = [](auto& pod) {
    container(pod).state = {};
    container(pod).state.waiting = api::ContainerStateWaiting{.reason = "ContainerCreating"};
  };
  EXPECT_TRUE(reports(changed(before, wait), {"how it ended is forgotten"}));
  EXPECT_EQ(reported(changed(before, wait, {.now = kNow, .stored_before = false})), "");
}

TEST(ForbiddenChanges, are_not_the_end_of_what_ran) {
  const auto found = changed(running_pod(), [](auto& pod) {
    auto& status = container(pod);
    status.state = {};
    status.state.terminated = ended("x://a", 100, 1);
    status.ready = false;
    status.started = false;
    condition(pod, "Ready") = {
        .type = "Ready", .status = "False", .lastTransitionTime = time_at(100)};
  });
  EXPECT_EQ(reported(found), "");
}

TEST(Impossible, is_what_a_pod_may_not_be_by_its_label) {
  api::Pod pod = running_pod();
  pod.metadata.labels[kExpectation] = kReadyPod;
  EXPECT_EQ(reported(impossible(pod, {.now = kNow})), "");
  pod.metadata.labels[kExpectation] = kUnreadyPod;
  EXPECT_TRUE(reports(impossible(pod, {.now = kNow}), {"it is Ready, and cannot be"}));
  pod.metadata.labels[kExpectation] = kOverPod;
  EXPECT_TRUE(reports(impossible(pod, {.now = kNow}), {"it is not over any more"}));
  pod.metadata.labels[kExpectation] = kReadyPod;
  condition(pod, "Ready").status = "False";
  EXPECT_TRUE(reports(impossible(pod, {.now = kNow}), {"it is not Ready"}));
}

TEST(Impossible, is_a_window_that_does_not_go_with_the_restarts) {
  EXPECT_EQ(reported(impossible(waiting_pod(2), {.now = kNow})), "");
  api::Pod pod = waiting_pod(2);
  container(pod).restartCount = 3;
  EXPECT_TRUE(reports(impossible(pod, {.now = kNow}), {"its backoff is over at"}));
}

TEST(Impossible, is_a_wait_of_unknown_length) {
  api::Pod pod = waiting_pod(2);
  container(pod).state.waiting->message = "later";
  EXPECT_TRUE(reports(impossible(pod, {.now = kNow}), {"nobody knows for how long"}));
}

TEST(Impossible, is_to_wait_or_run_long_after_the_time_that_is_shown) {
  EXPECT_EQ(reported(impossible(waiting_pod(2), {.now = time_at(128).at})), "");
  EXPECT_TRUE(reports(impossible(waiting_pod(2), {.now = time_at(129).at}), {"it still waits"}));
  // The pod's deadline is at 130.
  EXPECT_EQ(reported(impossible(ending_pod(), {.now = time_at(138).at})), "");
  EXPECT_TRUE(reports(impossible(ending_pod(), {.now = time_at(139).at}), {"it still runs"}));
  EXPECT_EQ(reported(impossible(ending_pod(),
                                {.now = time_at(139).at, .undisturbed_since = time_at(132).at})),
            "");
}

}  // namespace
}  // namespace berth::integration
