// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/health.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime kStart{1h};

std::vector<std::string> failures(const HealthInput& input) {
  std::vector<std::string> failures;
  for (const auto& check : health_checks(input)) failures.push_back(check.failure);
  return failures;
}

HealthInput at(SteadyTime now) {
  return {.now = now, .runtime_endpoint = "unix:///run/containerd.sock"};
}

TEST(HealthTest, all_is_well_where_everybody_answers) {
  EXPECT_EQ(health_checks(at(kStart)),
            (std::vector<HealthCheck>{{"ping", ""}, {"log", ""}, {"syncloop", ""}}));
}

TEST(HealthTest, a_runtime_that_is_silent_for_half_a_minute_turns_syncloop) {
  HealthInput input = at(kStart + 30s - 1ns);
  input.runtime_silent_since = kStart;
  input.runtime_error = "connection refused";
  EXPECT_EQ(failures(input), (std::vector<std::string>{"", "", ""}))
      << "a runtime that is being upgraded";
  input.now += 1ns;
  EXPECT_EQ(failures(input),
            (std::vector<std::string>{"", "",
                                      "sync Loop took longer than expected: the container runtime "
                                      "at unix:///run/containerd.sock has not answered for 30 s: "
                                      "connection refused"}));
}

TEST(HealthTest, a_store_that_takes_nothing_for_half_a_minute_turns_log) {
  HealthInput input = at(kStart + 29s);
  input.store_silent_since = kStart;
  EXPECT_EQ(failures(input), (std::vector<std::string>{"", "", ""}));
  input.now += 1s;
  EXPECT_EQ(failures(input)[1],
            "logging blocked: the state file has taken nothing for 30 s: the disk does not answer");
  input.store_error = "database or disk is full";
  input.now += 2min;
  EXPECT_EQ(
      failures(input)[1],
      "logging blocked: the state file has taken nothing for 150 s: database or disk is full");
}

TEST(HealthTest, a_loop_that_was_held_up_turns_syncloop) {
  HealthInput input = at(kStart);
  input.loop_late = 10s - 1ns;
  EXPECT_EQ(failures(input)[2], "");
  input.loop_late = 12s;
  EXPECT_EQ(failures(input)[2],
            "sync Loop took longer than expected: within the last minute it was held up for 12 s");
}

TEST(HealthTest, a_loop_is_as_late_as_its_beat) {
  LoopBeat loop(kStart);
  EXPECT_EQ(loop.late(kStart), Nanoseconds::zero());
  loop.beat(kStart + 5s + 2ms);
  EXPECT_EQ(loop.late(kStart + 6s), 2ms);
  EXPECT_EQ(loop.late(kStart + 30s), 20s - 2ms) << "who asks before the beat that is missing";
  loop.beat(kStart + 30s);
  EXPECT_EQ(loop.late(kStart + 31s), 20s - 2ms);
}

TEST(HealthTest, a_loop_that_was_late_is_forgiven_after_a_minute) {
  LoopBeat loop(kStart);
  SteadyTime now = kStart + 20s;
  loop.beat(now);
  EXPECT_EQ(loop.late(now), 15s);
  for (int i = 0; i < 12; ++i) {
    now = loop.due();
    loop.beat(now);
    EXPECT_EQ(loop.late(now), 15s) << i;
  }
  now = loop.due();
  loop.beat(now);
  EXPECT_EQ(loop.late(now), Nanoseconds::zero());
}

}  // namespace
}  // namespace berth::agent
