// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/reconcile_schedule.hpp"

#include <gtest/gtest.h>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

class ReconcileScheduleTest : public LoopFixture {
 protected:
  void pass() {
    ++passes;
    EXPECT_FALSE(in_pass) << "a pass within a pass";
    in_pass = true;
    if (passes == 1 && asks_again) {
      schedule.now();
      schedule.now();
    }
    in_pass = false;
  }

  int passes = 0;
  bool asks_again = false;
  bool in_pass = false;
  ReconcileSchedule schedule{tasks, clock, [this] { pass(); }};
};

TEST_F(ReconcileScheduleTest, a_pass_that_is_asked_for_within_a_pass_follows_it_once) {
  asks_again = true;
  schedule.now();
  EXPECT_EQ(passes, 2);
}

TEST_F(ReconcileScheduleTest, soon_is_one_pass_in_the_next_turn_however_often_it_is_asked_for) {
  schedule.soon();
  schedule.soon();
  EXPECT_EQ(passes, 0);
  drain();
  EXPECT_EQ(passes, 1);
  schedule.soon();
  drain();
  EXPECT_EQ(passes, 2);
}

TEST_F(ReconcileScheduleTest, of_several_times_the_earliest_counts) {
  const SteadyTime now = clock.steady_now();
  schedule.at(now + 10s, "later");
  schedule.at(now + 2s, "sooner");
  schedule.at(now + 5s, "not needed");
  drain();
  EXPECT_EQ(tasks.names(), (std::vector<std::string>{"later", "sooner"}));
  clock.advance(2s);
  EXPECT_EQ(passes, 1);
  clock.advance(1min);
  EXPECT_EQ(passes, 1) << "the later time was overtaken";
  schedule.at(clock.steady_now() + 1s, "again");
  drain();
  clock.advance(1s);
  EXPECT_EQ(passes, 2);
}

TEST_F(ReconcileScheduleTest, nothing_follows_once_the_tasks_stop) {
  schedule.at(clock.steady_now() + 1s, "timed");
  drain();
  tasks.request_stop();
  schedule.soon();
  drain();
  clock.advance(1min);
  EXPECT_EQ(passes, 0);
}

TEST_F(ReconcileScheduleTest, work_for_the_next_turn_may_ask_for_another_turn) {
  int turns = 0;
  NextTurn* self = nullptr;
  NextTurn next(tasks, "work", [&turns, &self] {
    if (++turns < 3) self->request();
  });
  self = &next;
  next.request();
  drain();
  EXPECT_EQ(turns, 3);
}

}  // namespace
}  // namespace berth::lifecycle
