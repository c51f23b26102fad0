// SPDX-License-Identifier: Apache-2.0

// Which evicted pods have not been stopped in time.
#include "agent/eviction/kill_deadlines.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using Uids = std::vector<std::string>;

TEST(KillDeadlines, who_is_late_is_returned_once_for_each_order) {
  KillDeadlines deadlines;
  const SteadyTime now{};
  EXPECT_EQ(deadlines.next(), std::nullopt);
  deadlines.ordered("slow", now + 30s);
  deadlines.ordered("quick", now + 10s);
  EXPECT_EQ(deadlines.next(), now + 10s);
  EXPECT_EQ(deadlines.awaited(), (Uids{"quick", "slow"}));
  EXPECT_TRUE(deadlines.newly_late(now + 10s - 1ns).empty());
  EXPECT_EQ(deadlines.newly_late(now + 10s), Uids{"quick"});
  EXPECT_TRUE(deadlines.newly_late(now + 20s).empty());
  EXPECT_EQ(deadlines.next(), now + 30s);
  deadlines.ordered("quick", now + 25s);
  EXPECT_EQ(deadlines.newly_late(now + 40s), (Uids{"quick", "slow"}));
  EXPECT_TRUE(deadlines.awaited().empty());
}

TEST(KillDeadlines, a_later_order_is_waited_for_anew) {
  KillDeadlines deadlines;
  deadlines.ordered("a", SteadyTime{10s});
  deadlines.ordered("a", SteadyTime{50s});
  EXPECT_TRUE(deadlines.newly_late(SteadyTime{49s}).empty());
}

TEST(KillDeadlines, who_has_ended_is_never_late) {
  KillDeadlines deadlines;
  deadlines.ordered("a", SteadyTime{10s});
  deadlines.ended("a");
  EXPECT_EQ(deadlines.next(), std::nullopt);
  EXPECT_TRUE(deadlines.newly_late(SteadyTime{20s}).empty());
}

}  // namespace
}  // namespace berth::agent
