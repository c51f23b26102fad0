// SPDX-License-Identifier: Apache-2.0

#include "systemd/heartbeats.hpp"

#include <gtest/gtest.h>

namespace berth::systemd {
namespace {

using namespace std::chrono_literals;
using News = std::vector<Heartbeats::News>;

constexpr SteadyTime kStart{1h};

Heartbeats two_parts() {
  return Heartbeats({{.name = "the loop", .limit = 30s}, {.name = "the store", .limit = 5min}}, 60s,
                    kStart);
}

TEST(HeartbeatsTest, the_watchdog_is_fed_while_every_part_is_within_its_limit) {
  auto parts = two_parts();
  EXPECT_TRUE(parts.round(kStart).feed);
  EXPECT_TRUE(parts.round(kStart + 30s).feed);
  parts.beat("the loop", kStart + 299s);
  EXPECT_TRUE(parts.round(kStart + 5min).feed);
  EXPECT_FALSE(parts.round(kStart + 5min + 1ns).feed) << "the store is late";
}

TEST(HeartbeatsTest, a_part_that_is_late_is_named_once_and_again_when_it_goes_on) {
  auto parts = two_parts();
  auto round = parts.round(kStart + 31s);
  EXPECT_FALSE(round.feed);
  EXPECT_EQ(round.news,
            (News{{.part = "the loop",
                   .late = true,
                   .text = "watchdog: the loop has made no progress for 31 s, 30 s at most are "
                           "allowed; the service manager aborts berthd within 60 s unless it goes "
                           "on"}}));
  EXPECT_EQ(round.late, "the loop has made no progress for 31 s");
  EXPECT_EQ(parts.round(kStart + 40s).news, News{});
  parts.beat("the loop", kStart + 41s);
  round = parts.round(kStart + 42s);
  EXPECT_TRUE(round.feed);
  EXPECT_EQ(round.news,
            (News{{.part = "the loop", .text = "watchdog: the loop makes progress again"}}));
  EXPECT_EQ(round.late, "");
  EXPECT_EQ(parts.round(kStart + 43s).news, News{});
}

TEST(HeartbeatsTest, one_part_that_beats_does_not_make_up_for_another) {
  auto parts = two_parts();
  for (auto at = kStart; at < kStart + 10min; at += 10s) parts.beat("the loop", at);
  const auto round = parts.round(kStart + 10min);
  EXPECT_FALSE(round.feed);
  ASSERT_EQ(round.news.size(), 1U);
  EXPECT_EQ(round.news[0].part, "the store");
}

TEST(HeartbeatsTest, beats_out_of_order_and_of_strangers_change_nothing) {
  auto parts = two_parts();
  parts.beat("the loop", kStart + 60s);
  parts.beat("the loop", kStart + 1s);
  parts.beat("nobody", kStart + 10min);
  EXPECT_TRUE(parts.round(kStart + 90s).feed);
  EXPECT_FALSE(parts.round(kStart + 91s).feed);
}

}  // namespace
}  // namespace berth::systemd
