// SPDX-License-Identifier: Apache-2.0

// What of probes that fail goes to the log.
#include "lifecycle/worker/probe_lines.hpp"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

class ProbeLinesTest : public testing::Test {
 protected:
  // What is told of that many failures, ten seconds apart.
  Lines fail(int times, const std::string& message, const std::string& container = "app") {
    Lines told;
    for (int i = 0; i < times; ++i, now += 10s)
      if (auto line = lines.say(container, message, now)) told.push_back(*line);
    return told;
  }

  SteadyTime now{1h};
  ProbeLines lines{};
};

TEST_F(ProbeLinesTest, the_same_failure_is_told_when_it_has_happened_twice_as_often) {
  EXPECT_EQ(fail(9, "Liveness probe failed: no"),
            (Lines{"Liveness probe failed: no", "Liveness probe failed: no (2 times)",
                   "Liveness probe failed: no (4 times)", "Liveness probe failed: no (8 times)"}));
}

TEST_F(ProbeLinesTest, another_failure_is_told_at_once) {
  EXPECT_EQ(fail(1, "Liveness probe failed: no").size(), 1U);
  EXPECT_EQ(fail(1, "Liveness probe failed: refused").size(), 1U);
  EXPECT_EQ(fail(1, "Liveness probe failed: refused", "other").size(), 1U);
}

TEST_F(ProbeLinesTest, probes_of_different_kinds_do_not_begin_each_other_anew) {
  Lines told;
  for (int i = 0; i < 3; ++i) {
    for (const char* message : {"Liveness probe failed: no", "Readiness probe failed: no"})
      if (auto line = lines.say("app", message, now)) told.push_back(*line);
  }
  EXPECT_EQ(told.size(), 4U) << "each once, and twice";
}

TEST_F(ProbeLinesTest, what_did_not_happen_for_ten_minutes_begins_anew) {
  fail(3, "Liveness probe failed: no");
  now += 10min;
  EXPECT_EQ(fail(1, "Liveness probe failed: no"), Lines{"Liveness probe failed: no"});
}

TEST_F(ProbeLinesTest, a_command_s_output_is_cut_to_its_first_line_and_to_200_bytes) {
  EXPECT_EQ(fail(1, "Liveness probe failed: no\n"), Lines{"Liveness probe failed: no"});
  EXPECT_EQ(fail(1, "Liveness probe failed: one\ntwo"),
            Lines{"Liveness probe failed: one… (30 bytes)"});
  const std::string output(300, 'x');
  EXPECT_EQ(fail(1, output), Lines{output.substr(0, 200) + "… (300 bytes)"});
}

}  // namespace
}  // namespace berth::lifecycle
