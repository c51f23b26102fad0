// SPDX-License-Identifier: Apache-2.0

#include "ctl/age.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

TEST(Age, has_two_units_at_most_and_fewer_as_time_passes) {
  struct Case {
    Nanoseconds duration;
    std::string text;
  };
  const std::vector<Case> cases = {
      {-5s, "<invalid>"},    {-500ms, "0s"},        {0s, "0s"},
      {119s, "119s"},        {120s, "2m"},          {125s, "2m5s"},
      {9min + 59s, "9m59s"}, {10min + 30s, "10m"},  {179min, "179m"},
      {180min, "3h"},        {7h + 59min, "7h59m"}, {8h + 30min, "8h"},
      {47h, "47h"},          {48h, "2d"},           {53h, "2d5h"},
      {191h, "7d23h"},       {192h, "8d"},          {24h * 729, "729d"},
      {24h * 730, "2y"},     {24h * 735, "2y5d"},   {24h * 365 * 8, "8y"},
  };
  for (const auto& [duration, text] : cases) EXPECT_EQ(human_duration(duration), text);
}

TEST(Age, of_a_time_that_is_not_set_is_unknown) {
  EXPECT_EQ(age(std::nullopt, WallTime{}), "<unknown>");
  EXPECT_EQ(age(api::Time::from_unix_seconds(100), WallTime{142s}), "42s");
}

}  // namespace
}  // namespace berth::ctl
