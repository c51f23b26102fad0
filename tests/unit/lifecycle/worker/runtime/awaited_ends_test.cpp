// SPDX-License-Identifier: Apache-2.0

// Exits for which the runtime is queried until it shows them.
#include "lifecycle/worker/runtime/awaited_ends.hpp"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kBegin{1h};

TEST(AwaitedEnds, it_is_asked_ever_less_often_and_given_up_after_ten_seconds) {
  AwaitedEnds ends;
  ends.expect("a", kBegin);
  EXPECT_EQ(ends.ask_at("a"), kBegin);
  SteadyTime now = kBegin;
  std::vector<Nanoseconds> waits;
  while (ends.ask_later("a", now) && waits.size() < 200) {
    waits.push_back(*ends.ask_at("a") - now);
    now = *ends.ask_at("a");
  }
  ASSERT_GT(waits.size(), 8U);
  EXPECT_EQ(std::vector<Nanoseconds>(waits.begin(), waits.begin() + 8),
            (std::vector<Nanoseconds>{2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 100ms, 100ms}));
  EXPECT_GE(now - kBegin, 10s);
  EXPECT_LT(now - kBegin, 10s + 100ms);
  EXPECT_TRUE(ends.empty());
}

TEST(AwaitedEnds, an_event_that_may_run_ahead_is_not_asked_about_at_once) {
  AwaitedEnds ends;
  ends.expect_after_event("ahead", kBegin, true);
  ends.expect_after_event("shown", kBegin, false);
  EXPECT_EQ(ends.ask_at("ahead"), kBegin + 2ms);
  EXPECT_EQ(ends.ask_at("shown"), kBegin);
}

TEST(AwaitedEnds, what_is_awaited_keeps_its_time_and_is_by_event_once_one_said_so) {
  AwaitedEnds ends;
  ends.expect("a", kBegin);
  EXPECT_FALSE(ends.by_event("a"));
  ends.expect_after_event("a", kBegin + 5s, true);
  EXPECT_EQ(ends.ask_at("a"), kBegin);
  EXPECT_TRUE(ends.by_event("a"));
  ends.over("a");
  EXPECT_FALSE(ends.contains("a"));
  EXPECT_EQ(ends.ask_at("a"), std::nullopt);
  EXPECT_FALSE(ends.by_event("a"));
  EXPECT_TRUE(ends.ask_later("a", kBegin + 1h)) << "nothing is given up";
}

}  // namespace
}  // namespace berth::lifecycle
