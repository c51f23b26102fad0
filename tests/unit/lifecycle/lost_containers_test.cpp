// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/lost_containers.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

PodMemory running(const char* policy) {
  auto pod = std::make_shared<api::Pod>();
  pod->spec.restartPolicy = policy;
  pod->spec.containers.push_back({.name = "main"});
  PodMemory memory{.uid = "u1", .pod = pod, .next_attempts = {{"main", 1}}};
  memory.status.phase = "Running";
  api::ContainerStatus status{.name = "main"};
  status.ready = true;
  status.containerID = "containerd://c1";
  status.state.running = api::ContainerStateRunning{};
  memory.status.containerStatuses.push_back(status);
  return memory;
}

LossDecision decided(const PodMemory& memory) {
  return decide_loss(loss_question(memory));
}

TEST(LostContainers, a_pod_that_is_never_restarted_has_failed) {
  const PodMemory memory = running("Never");
  EXPECT_TRUE(decided(memory).failed);
  const PodMemory lost = failed_by_loss(memory, WallTime{});
  EXPECT_EQ(lost.verdict, Verdict::kCompleted);
  EXPECT_EQ(lost.status.phase, "Failed");
  const auto& ended = lost.status.containerStatuses.at(0).state.terminated;
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exitCode, 137);
  EXPECT_EQ(ended->reason, "ContainerStatusUnknown");
  EXPECT_EQ(ended->containerID, "containerd://c1");
  EXPECT_FALSE(lost.status.containerStatuses.at(0).ready);
}

TEST(LostContainers, a_pod_that_an_order_was_ending_has_failed_for_the_reason_of_the_order) {
  PodMemory memory = running("Never");
  const Ending order = node_shutdown(std::chrono::seconds(5), WallTime{});
  memory.end = EndInForce{.ending = order, .grace_seconds = 5};
  const PodMemory lost = failed_by_loss(memory, WallTime{});
  EXPECT_EQ(lost.status.phase, "Failed");
  EXPECT_EQ(lost.status.reason, "Terminated");
  EXPECT_EQ(lost.status.message, order.failure->message);
  ASSERT_EQ(lost.status.conditions.size(), 1U);
  EXPECT_EQ(lost.status.conditions[0].type, "DisruptionTarget");
}

TEST(LostContainers, where_the_policy_allows_it_begins_again) {
  EXPECT_FALSE(decided(running("Always")).failed);
  EXPECT_FALSE(decided(running("OnFailure")).failed);
}

TEST(LostContainers, one_that_begins_again_has_nothing_that_ended_for_good) {
  PodMemory memory = running("OnFailure");
  api::ContainerStatus done{.name = "done", .restartCount = 2};
  done.state.terminated = api::ContainerStateTerminated{.exitCode = 0, .reason = "Completed"};
  memory.status.containerStatuses.push_back(done);
  memory.status.initContainerStatuses.push_back(done);
  const PodMemory again = begun_again(memory);
  for (const auto& status :
       {again.status.containerStatuses.at(1), again.status.initContainerStatuses.at(0)}) {
    EXPECT_FALSE(status.state.terminated);
    ASSERT_TRUE(status.lastState.terminated);
    EXPECT_EQ(status.lastState.terminated->reason, "Completed");
    EXPECT_EQ(status.restartCount, 2);
  }
  EXPECT_TRUE(again.status.containerStatuses.at(0).state.running);
}

TEST(LostContainers, what_never_began_has_lost_nothing) {
  auto memory = running("Never");
  memory.next_attempts.clear();
  EXPECT_FALSE(has_lost(loss_question(memory)));
  EXPECT_FALSE(decided(memory).failed);
}

TEST(LostContainers, what_is_over_stays_as_it_ended) {
  auto memory = running("Never");
  memory.verdict = Verdict::kCompleted;
  EXPECT_FALSE(has_lost(loss_question(memory)));
  EXPECT_FALSE(decided(memory).failed);
}

TEST(LostContainers, of_one_that_is_to_end_it_is_not_said_that_it_begins_again) {
  PodMemory memory = running("Always");
  memory.end = EndInForce{};
  const LossQuestion question = loss_question(memory);
  EXPECT_EQ(loss_reason(question, decide_loss(question)).text,
            "the runtime knows nothing of its containers any more; it is terminating anyway");
}

TEST(LostContainers, it_is_said_what_becomes_of_the_pod) {
  const auto said = [](const char* policy) {
    const PodMemory memory = running(policy);
    const LossQuestion question = loss_question(memory);
    return loss_reason(question, decide_loss(question)).text;
  };
  const std::string lost = "the runtime knows nothing of its containers any more; its ";
  EXPECT_EQ(said("Never"), lost + "restartPolicy is Never, so it has failed");
  EXPECT_EQ(said("Always"), lost + "restartPolicy is Always, so it begins again");
}

}  // namespace
}  // namespace berth::lifecycle
