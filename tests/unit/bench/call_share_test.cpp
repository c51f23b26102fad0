// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/call_share.hpp"

#include <gtest/gtest.h>

#include "tests/bench/samples.hpp"

namespace berth::bench {
namespace {

SteadyTime at(int milliseconds) {
  return SteadyTime(std::chrono::milliseconds(milliseconds));
}

struct Case {
  const char* name;
  std::vector<Span> spans;
  int own_milliseconds;
};

TEST(CallShare, is_the_window_less_the_union_of_calls_clipped_to_it) {
  const Interval window{at(100), at(200)};
  const std::vector<Case> cases = {
      {"no call at all", {}, 100},
      {"one inside", {{"a", {at(110), at(150)}}}, 60},
      {"two apart", {{"a", {at(110), at(120)}}, {"b", {at(130), at(150)}}}, 70},
      {"two that overlap count once", {{"a", {at(110), at(140)}}, {"b", {at(130), at(150)}}}, 60},
      {"one within another", {{"a", {at(110), at(190)}}, {"b", {at(120), at(130)}}}, 20},
      {"touching ones", {{"a", {at(110), at(120)}}, {"b", {at(120), at(130)}}}, 80},
      {"begun before the window", {{"a", {at(50), at(120)}}}, 80},
      {"ended after it", {{"a", {at(180), at(500)}}}, 80},
      {"all around it", {{"a", {at(0), at(500)}}}, 0},
      {"before and after it", {{"a", {at(0), at(100)}}, {"b", {at(200), at(300)}}}, 100},
      {"in no order", {{"b", {at(150), at(160)}}, {"a", {at(110), at(120)}}}, 80},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(own_share(one.spans, window), std::chrono::milliseconds(one.own_milliseconds))
        << one.name;
  }
}

TEST(CallShare, names_each_gap_by_its_neighbours) {
  const auto found = gaps(
      {{"Run", {at(110), at(150)}}, {"Image", {at(120), at(130)}}, {"Start", {at(160), at(190)}}},
      {at(100), at(200)});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].after, "trigger");
  EXPECT_EQ(found[0].before, "Run");
  EXPECT_EQ(found[1].after, "Run");
  EXPECT_EQ(found[1].before, "Start");
  EXPECT_EQ(found[1].length, std::chrono::milliseconds(10));
  EXPECT_EQ(found[2].after, "Start");
  EXPECT_EQ(found[2].before, "milestone");
}

TEST(Samples, of_an_even_number_have_the_mean_of_the_middle_two_as_median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Samples, below_a_hundred_have_their_largest_as_p99) {
  EXPECT_EQ(percentile_99({}), 0);
  EXPECT_EQ(percentile_99({1, 7, 3}), 7);
  std::vector<double> many;
  for (int value = 1; value <= 200; ++value) many.push_back(value);
  EXPECT_EQ(percentile_99(many), 198);
}

}  // namespace
}  // namespace berth::bench
