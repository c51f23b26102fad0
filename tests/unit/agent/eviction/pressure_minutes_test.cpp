// SPDX-License-Identifier: Apache-2.0

// Samples on their way into the state file and back.
#include "agent/eviction/pressure_minutes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/eviction/eviction_values.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using eviction::kGi;
using eviction::kMi;
using eviction::Sample;
using eviction::steady;
using eviction::wall;

Sample sample(std::int64_t at, std::int64_t memory) {
  return {.at = steady(at),
          .shown_at = wall(at),
          .node = {.memory = eviction::memory_left(memory, at)}};
}

TEST(PressureMinutes, a_minute_of_samples_is_one_with_the_worst_of_them) {
  PressureMinutes minutes;
  for (std::int64_t at = 0; at < 60; ++at)
    EXPECT_FALSE(minutes.add(sample(at, at == 7 ? kMi : kGi))) << at;
  const auto minute = minutes.add(sample(60, kGi));
  ASSERT_TRUE(minute);
  EXPECT_EQ(minute->merged, 60U);
  EXPECT_EQ(minute->shown_at, wall(59));
  EXPECT_EQ(minute->node.memory->available, kMi);
  const auto rest = minutes.rest();
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->merged, 1U);
  EXPECT_EQ(rest->shown_at, wall(60));
  EXPECT_FALSE(minutes.rest()) << "it was taken";
}

TEST(PressureMinutes, who_was_evicted_is_in_the_minute) {
  PressureMinutes minutes;
  Sample acted = sample(1, kMi);
  acted.evicted = {"uid-a"};
  EXPECT_FALSE(minutes.add(sample(0, kGi)));
  EXPECT_FALSE(minutes.add(acted));
  EXPECT_FALSE(minutes.add(sample(2, kGi)));
  EXPECT_EQ(minutes.rest()->evicted, std::vector<std::string>{"uid-a"});
}

struct RebasedCase {
  const char* name = "";
  std::vector<std::int64_t> kept{};
  std::vector<std::int64_t> expected{};  // seconds before now
};

// Now is second 1000 of the wall clock, and 5 s after the boot.
TEST(RebasedSamples, samples_are_as_long_ago_as_they_were) {
  const RebasedCase cases[] = {
      {"none", {}, {}},
      {"in order", {400, 900, 990}, {600, 100, 10}},
      {"the clock was ahead", {900, 2000, 2001, 950}, {100, 50}},
      {"the clock was behind", {900, 10, 950}, {990, 50}},
      {"this very moment", {900, 1000}, {100}},
  };
  for (const RebasedCase& one : cases) {
    std::vector<Sample> kept;
    for (const auto at : one.kept) kept.push_back({.shown_at = wall(at)});
    std::vector<std::int64_t> ago;
    for (const Sample& sample : rebased_samples(std::move(kept), steady(5), wall(1000)))
      ago.push_back((steady(5) - sample.at) / 1s);
    EXPECT_EQ(ago, one.expected) << one.name;
  }
}

}  // namespace
}  // namespace berth::agent
