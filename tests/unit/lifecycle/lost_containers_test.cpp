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

TEST(LostContainers, a_pod_that_is_never_restarted_has_failed) {
  const auto lost = after_losing_containers(running("Never"));
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->verdict, Verdict::kCompleted);
  EXPECT_EQ(lost->status.phase, "Failed");
  const auto& ended = lost->status.containerStatuses.at(0).state.terminated;
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exitCode, 137);
  EXPECT_EQ(ended->reason, "ContainerStatusUnknown");
  EXPECT_EQ(ended->containerID, "containerd://c1");
  EXPECT_FALSE(lost->status.containerStatuses.at(0).ready);
}

TEST(LostContainers, where_the_policy_allows_it_begins_again) {
  EXPECT_FALSE(after_losing_containers(running("Always")));
  EXPECT_FALSE(after_losing_containers(running("OnFailure")));
}

TEST(LostContainers, what_never_began_begins) {
  auto memory = running("Never");
  memory.next_attempts.clear();
  EXPECT_FALSE(after_losing_containers(memory));
}

TEST(LostContainers, what_is_over_stays_as_it_ended) {
  auto memory = running("Never");
  memory.verdict = Verdict::kCompleted;
  EXPECT_FALSE(after_losing_containers(memory));
}

}  // namespace
}  // namespace berth::lifecycle
