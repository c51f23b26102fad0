// SPDX-License-Identifier: Apache-2.0

// The stage that a worker has reached with its pod.
#include "lifecycle/worker/pod_course.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

EndInForce removal() {
  return {.ending = {.then = Afterwards::kRemove}, .grace_seconds = 30};
}

TEST(PodCourse, begins_with_a_pod_that_is_to_run) {
  const PodCourse course;
  EXPECT_EQ(course.state(), WorkerState::kSyncing);
  EXPECT_FALSE(course.ends());
  EXPECT_FALSE(course.to_be_removed());
  EXPECT_FALSE(course.over());
}

TEST(PodCourse, ends_with_an_order_before_anything_is_stopped) {
  PodCourse course;
  course.order(removal());
  EXPECT_TRUE(course.ends());
  EXPECT_TRUE(course.to_be_removed());
  EXPECT_EQ(course.state(), WorkerState::kSyncing);
}

TEST(PodCourse, ends_without_an_order_when_the_pod_finishes_by_itself) {
  PodCourse course;
  course.enter(WorkerState::kEnding, "u1");
  EXPECT_TRUE(course.ends());
  EXPECT_FALSE(course.to_be_removed());
}

TEST(PodCourse, is_over_while_what_is_left_is_shown_or_goes) {
  PodCourse course;
  for (const auto& [state, over] :
       {std::pair{WorkerState::kEnding, false}, std::pair{WorkerState::kEnded, true},
        std::pair{WorkerState::kRemoving, true}, std::pair{WorkerState::kFinished, false}}) {
    course.enter(state, "u1");
    EXPECT_EQ(course.over(), over) << to_string(state);
  }
}

TEST(PodCourseDeathTest, never_goes_back_and_names_the_pod_for_which_it_would) {
  PodCourse course;
  course.enter(WorkerState::kEnded, "u1");
  EXPECT_DEATH(course.enter(WorkerState::kEnding, "u1"), "a worker's state only moves on: u1 ");
}

}  // namespace
}  // namespace berth::lifecycle
