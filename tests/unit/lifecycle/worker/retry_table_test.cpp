// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/retry_table.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

TEST(RetryTable, delays_double_from_100_ms_to_10_s) {
  RetryTable table;
  SteadyTime now{};
  for (const auto expected :
       {100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 10000ms, 10000ms}) {
    table.failed("sandbox", now);
    EXPECT_FALSE(table.due("sandbox", now));
    EXPECT_EQ(table.next(now), now + expected);
    now += expected;
    EXPECT_TRUE(table.due("sandbox", now));
    EXPECT_EQ(table.next(now), std::nullopt);
  }
}

TEST(RetryTable, what_was_refused_waits_longer_than_what_nobody_answered) {
  RetryTable table;
  SteadyTime now{};
  for (const auto expected : {2s, 4s, 8s, 15s, 15s}) {
    table.failed("container/app", now, pace_after(ErrorCode::kUnknown));
    EXPECT_EQ(table.next(now), now + expected);
    now += expected;
  }
  table.failed("container/other", now, pace_after(ErrorCode::kTimeout));
  EXPECT_EQ(table.next(now), now + 100ms);
  table.failed("container/other", now, pace_after(ErrorCode::kInvalid));
  EXPECT_EQ(table.next(now), now + 2s);
}

TEST(RetryTable, what_begins_alike_is_forgotten_together) {
  RetryTable table;
  const SteadyTime now{};
  table.failed("container/app", now);
  table.failed("sandbox", now);
  table.clear("container/");
  EXPECT_TRUE(table.due("container/app", now));
  EXPECT_FALSE(table.due("sandbox", now));
}

TEST(RetryTable, things_wait_on_their_own_and_a_success_starts_over) {
  RetryTable table;
  const SteadyTime now{};
  table.failed("a", now);
  EXPECT_TRUE(table.due("b", now));
  table.succeeded("a");
  EXPECT_TRUE(table.due("a", now));
  table.failed("a", now);
  EXPECT_EQ(table.next(now), now + 100ms);
  table.clear();
  EXPECT_TRUE(table.due("a", now));
}

}  // namespace
}  // namespace berth::lifecycle
