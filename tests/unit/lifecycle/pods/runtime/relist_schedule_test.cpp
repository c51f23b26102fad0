// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/relist_schedule.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kStart{1h};

TEST(RelistSchedule, it_is_seldom_while_the_stream_is_open) {
  RelistSchedule schedule({.with_stream = 30s, .without_stream = 1s});
  const RelistRound round = schedule.begin(kStart);
  EXPECT_FALSE(round.resubscribed);
  EXPECT_FALSE(round.differences_expected);
  EXPECT_EQ(schedule.after_success(round, kStart + 5ms, true), kStart + 5ms + 30s);
  EXPECT_EQ(schedule.after_success(round, kStart + 5ms, false), kStart + 5ms + 1s);
}

TEST(RelistSchedule, after_the_stream_was_opened_it_is_done_once_more_a_second_later) {
  RelistSchedule schedule({});
  schedule.note_resubscribed();
  const RelistRound first = schedule.begin(kStart);
  EXPECT_TRUE(first.resubscribed);
  EXPECT_TRUE(first.differences_expected);
  EXPECT_EQ(schedule.after_success(first, kStart + 9ms, true), kStart + 1s);

  // Woken before that second is over, the relist is still due then.
  const RelistRound early = schedule.begin(kStart + 400ms);
  EXPECT_FALSE(early.resubscribed);
  EXPECT_TRUE(early.differences_expected);
  EXPECT_EQ(schedule.after_success(early, kStart + 410ms, true), kStart + 1s);

  const RelistRound second = schedule.begin(kStart + 1s);
  EXPECT_TRUE(second.differences_expected);
  EXPECT_EQ(schedule.after_success(second, kStart + 1s, true), kStart + 31s);
  EXPECT_FALSE(schedule.begin(kStart + 31s).differences_expected);
}

TEST(RelistSchedule, a_runtime_that_does_not_answer_is_asked_again_ever_less_often) {
  RelistSchedule schedule({});
  schedule.note_resubscribed();
  const Nanoseconds delays[] = {100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 5s, 5s};
  for (const Nanoseconds delay : delays) {
    const RelistRound round = schedule.begin(kStart);
    EXPECT_TRUE(round.resubscribed) << "it has not been looked at since it was opened";
    EXPECT_EQ(schedule.after_failure(round, kStart + 1ms), kStart + 1ms + delay);
  }
  const RelistRound answered = schedule.begin(kStart);
  EXPECT_EQ(schedule.after_success(answered, kStart, true), kStart + 1s);
  EXPECT_EQ(schedule.after_failure(schedule.begin(kStart), kStart), kStart + 100ms);
}

}  // namespace
}  // namespace berth::lifecycle
