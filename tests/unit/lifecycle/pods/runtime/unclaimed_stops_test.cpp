// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/unclaimed_stops.hpp"

#include <string>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

TEST(UnclaimedStops, a_stop_is_kept_until_it_is_claimed) {
  UnclaimedStops stops;
  stops.add("c1", {.at = 5, .exit_code = 3});
  stops.add("c1", {.at = 9, .exit_code = 4});
  EXPECT_FALSE(stops.claim("c2"));
  const auto news = stops.claim("c1");
  ASSERT_TRUE(news);
  EXPECT_EQ(*news, (StopNews{.at = 5, .exit_code = 3})) << "the first report counts";
  EXPECT_FALSE(stops.claim("c1"));
}

TEST(UnclaimedStops, of_very_many_the_oldest_are_dropped) {
  UnclaimedStops stops;
  for (int i = 0; i < 258; ++i) stops.add("c" + std::to_string(i), {.at = i, .exit_code = {}});
  EXPECT_FALSE(stops.claim("c0"));
  EXPECT_FALSE(stops.claim("c1"));
  EXPECT_EQ(stops.claim("c2")->at, 2);
  stops.add("more", {});
  EXPECT_TRUE(stops.claim("c3")) << "what was claimed takes no room";
}

}  // namespace
}  // namespace berth::lifecycle
