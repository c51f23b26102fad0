// SPDX-License-Identifier: Apache-2.0

// When a worker looks again.
#include "lifecycle/worker/timetable.hpp"

#include <chrono>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

class TimetableTest : public LoopFixture {
 protected:
  // The time from now until the worker's next pass.
  [[nodiscard]] std::optional<Nanoseconds> in() const {
    if (!timetable.next_look()) return std::nullopt;
    return *timetable.next_look() - clock.steady_now();
  }

  Timetable timetable{clock};
};

TEST_F(TimetableTest, the_next_look_is_the_earliest_that_was_named_in_this_turn) {
  EXPECT_EQ(in(), std::nullopt);
  timetable.look_again_at(clock.steady_now() + 3s);
  timetable.look_again_at(std::nullopt);
  timetable.look_again_at(clock.steady_now() + 5s);
  EXPECT_EQ(in(), 3s);
  timetable.look_again_at_wall(clock.wall_now() + 2s);
  EXPECT_EQ(in(), 2s);
  timetable.begin_turn();
  EXPECT_EQ(in(), std::nullopt);
}

TEST_F(TimetableTest, what_is_not_due_yet_is_looked_at_when_it_is) {
  EXPECT_TRUE(timetable.due("sandbox"));
  timetable.failed("sandbox");
  EXPECT_TRUE(timetable.failing("sandbox"));
  EXPECT_EQ(in(), std::nullopt) << "nobody wants it yet";
  EXPECT_FALSE(timetable.due("sandbox"));
  EXPECT_EQ(in(), kHiccup.first);
  EXPECT_TRUE(timetable.due("container/app")) << "each on its own";
  clock.advance(kHiccup.first);
  EXPECT_TRUE(timetable.due("sandbox"));
}

TEST_F(TimetableTest, a_retry_that_came_due_during_the_turn_is_looked_at_all_the_same) {
  const SteadyTime began = clock.steady_now();
  timetable.failed("sandbox");
  clock.advance(1s);
  timetable.look_at_retries(began);
  EXPECT_LT(in(), 0s);
}

TEST_F(TimetableTest, what_succeeds_or_is_worth_a_try_is_due_at_once) {
  for (const char* key : {"sandbox", "container/a", "container/b"}) timetable.failed(key, kRefusal);
  timetable.succeeded("sandbox");
  EXPECT_TRUE(timetable.due("sandbox"));
  timetable.retry("container/a");
  EXPECT_TRUE(timetable.due("container/a"));
  EXPECT_FALSE(timetable.due("container/b"));
  timetable.retry_all();
  EXPECT_TRUE(timetable.due("container/b"));
}

}  // namespace
}  // namespace berth::lifecycle
