// SPDX-License-Identifier: Apache-2.0

// What a pod waits for that others have to resolve, and the advice to an operator.
#include "lifecycle/obstacles.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

constexpr const char* kLost =
    "failed to remove container \"0c1\": failed to delete containerd container \"0c1\": cannot "
    "delete running task 0c1af9: failed precondition";

Obstacle removal(std::string error) {
  return {.kind = ObstacleKind::kRemoval, .id = "5a4d", .error = std::move(error)};
}

TEST(Obstacles, are_news_once_and_again_when_they_are_refused_for_another_reason) {
  Obstacles obstacles;
  Obstacle first = removal("busy");
  first.since = WallTime{std::chrono::seconds{5}};
  EXPECT_TRUE(obstacles.met(first));
  EXPECT_FALSE(obstacles.met(removal("busy")));
  EXPECT_TRUE(obstacles.met(removal("stuck")));
  EXPECT_TRUE(obstacles.met({.kind = ObstacleKind::kStop, .id = "5a4d", .error = "stuck"}));
  ASSERT_EQ(obstacles.all().size(), 2U);
  EXPECT_EQ(obstacles.all()[0].error, "stuck");
  EXPECT_EQ(obstacles.all()[0].since, first.since) << "since the first time";
  obstacles.gone(ObstacleKind::kRemoval, "5a4d");
  ASSERT_EQ(obstacles.all().size(), 1U);
  EXPECT_EQ(obstacles.all()[0].kind, ObstacleKind::kStop);
}

TEST(LostTask, is_the_one_that_containerd_will_not_delete) {
  EXPECT_EQ(lost_task(kLost), "0c1af9");
  EXPECT_EQ(lost_task("cannot delete running task 12"), "12");
  EXPECT_FALSE(lost_task("cannot delete running task "));
  EXPECT_FALSE(lost_task("connection refused"));
}

TEST(ObstacleText, names_what_is_refused_and_in_whose_words) {
  EXPECT_EQ(obstacle_text(removal("busy")), "the runtime refuses to remove its sandbox 5a4d: busy");
  EXPECT_EQ(obstacle_text({.kind = ObstacleKind::kStop,
                           .id = "0c1",
                           .container = "app",
                           .error = "deadline exceeded"}),
            "the runtime refuses to stop container app (0c1): deadline exceeded");
  EXPECT_EQ(obstacle_text({.kind = ObstacleKind::kCleanup, .error = "removing /x: busy"}),
            "berthd cannot remove its files and cgroups from this node: removing /x: busy");
  EXPECT_EQ(obstacle_text({.kind = ObstacleKind::kFinalPhase}),
            "the pod has ended, but its end is not persisted yet; the store: no answer yet");
}

TEST(ObstacleAdvice, says_how_the_lost_task_is_deleted_on_the_socket_that_is_in_use) {
  const HeldPod lost{.obstacle = removal(kLost), .lost_task_of = "app"};
  EXPECT_EQ(obstacle_advice(lost, {"unix:///run/containerd/containerd.sock"}),
            "containerd has lost the task 0c1af9 of container app; `ctr -n k8s.io tasks delete "
            "--force 0c1af9` deletes it, and berthd then removes the rest");
  EXPECT_EQ(obstacle_advice({.obstacle = removal(kLost)}, {"unix:///tmp/own.sock"}),
            "containerd has lost the task 0c1af9; `ctr --address /tmp/own.sock -n k8s.io tasks "
            "delete --force 0c1af9` deletes it, and berthd then removes the rest");
  EXPECT_EQ(obstacle_advice({.obstacle = removal("busy")}, {}),
            "berthd retries every 10 s; the runtime's own log may have details");
}

}  // namespace
}  // namespace berth::lifecycle
