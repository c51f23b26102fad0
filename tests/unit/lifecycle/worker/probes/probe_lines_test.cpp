// SPDX-License-Identifier: Apache-2.0

// Which probe failures are logged.
#include "lifecycle/worker/probes/probe_lines.hpp"

#include <chrono>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

class ProbeLinesTest : public testing::Test {
 protected:
  using enum probes::ProbeType;

  // The lines logged for that many failures, ten seconds apart.
  Lines fail(int times, const std::string& message, const std::string& container = "app") {
    Lines logged;
    for (int i = 0; i < times; ++i, now += 10s)
      if (auto line = lines.say({.container = container, .type = kLiveness}, message, now))
        logged.push_back(*line);
    return logged;
  }

  SteadyTime now{1h};
  ProbeLines lines{};
};

TEST_F(ProbeLinesTest, the_same_failure_is_logged_when_it_has_happened_twice_as_often) {
  EXPECT_EQ(fail(9, "Liveness probe failed: no"),
            (Lines{"Liveness probe failed: no", "Liveness probe failed: no (2 times)",
                   "Liveness probe failed: no (4 times)", "Liveness probe failed: no (8 times)"}));
}

// Such as the output of a command that prints a date or a counter.
TEST_F(ProbeLinesTest, an_output_that_changes_each_time_is_logged_four_times_and_then_counted) {
  Lines logged;
  for (int i = 1; i <= 40; ++i)
    for (const std::string& line : fail(1, fmt::format("Liveness probe failed: no {}", i)))
      logged.push_back(line);
  EXPECT_EQ(logged, (Lines{"Liveness probe failed: no 1", "Liveness probe failed: no 2",
                           "Liveness probe failed: no 3", "Liveness probe failed: no 4",
                           "Liveness probe failed: no 8 (8 times, and its output changes)",
                           "Liveness probe failed: no 16 (16 times, and its output changes)",
                           "Liveness probe failed: no 32 (32 times, and its output changes)"}));
}

TEST_F(ProbeLinesTest, an_output_that_changes_every_second_time_is_no_flood_either) {
  std::size_t logged = 0;
  for (int i = 0; i < 500; ++i)
    logged += fail(2, fmt::format("Liveness probe failed: no {}", i)).size();
  EXPECT_EQ(logged, 4 * 2 + 6U) << "each of four outputs once and twice, then 16, 32, …, 512";
}

TEST_F(ProbeLinesTest, a_failure_of_another_kind_is_logged_after_many_of_the_first) {
  fail(100, "Liveness probe failed: no");
  EXPECT_EQ(fail(1, "Liveness probe failed: refused"), Lines{"Liveness probe failed: refused"});
}

TEST_F(ProbeLinesTest, after_a_success_of_a_minute_it_begins_anew) {
  struct Row {
    probes::ProbeType succeeds{};
    const char* container = "app";
    Nanoseconds until{};
    Lines logged{};
  };
  const std::string text = "Liveness probe failed: no";
  const Lines anew{text};
  for (const Row& row : {Row{kLiveness, "app", 1min, anew}, Row{kLiveness, "app", 30s, {}},
                         Row{kReadiness, "app", 1min, {}}, Row{kLiveness, "other", 1min, {}}}) {
    lines = {};
    fail(2, text);
    lines.succeeded(row.container, row.succeeds);
    now += row.until;
    EXPECT_EQ(fail(1, text), row.logged) << probes::to_string(row.succeeds) << " " << row.container;
  }
}

TEST_F(ProbeLinesTest, one_that_fails_and_succeeds_in_turns_is_no_flood) {
  std::size_t logged = 0;
  for (int i = 0; i < 500; ++i) {
    logged += fail(1, "Liveness probe failed: no").size();
    lines.succeeded("app", kLiveness);
  }
  EXPECT_EQ(logged, 9U);
}

TEST_F(ProbeLinesTest, another_failure_is_logged_at_once) {
  EXPECT_EQ(fail(1, "Liveness probe failed: no").size(), 1U);
  EXPECT_EQ(fail(1, "Liveness probe failed: refused").size(), 1U);
  EXPECT_EQ(fail(1, "Liveness probe failed: refused", "other").size(), 1U);
}

TEST_F(ProbeLinesTest, probes_of_different_kinds_do_not_begin_each_other_anew) {
  Lines logged;
  for (int i = 0; i < 3; ++i) {
    for (const probes::ProbeType type : {kLiveness, kReadiness})
      if (auto line = lines.say({.container = "app", .type = type}, "no", now))
        logged.push_back(*line);
  }
  EXPECT_EQ(logged.size(), 4U) << "each once, and twice";
}

TEST_F(ProbeLinesTest, warnings_and_failures_are_counted_apart) {
  Lines logged;
  for (int i = 0; i < 3; ++i)
    for (const auto outcome : {probes::Outcome::kFailure, probes::Outcome::kWarning})
      if (auto line = lines.say({.container = "app", .outcome = outcome}, "no", now))
        logged.push_back(*line);
  EXPECT_EQ(logged, (Lines{"no", "no", "no (2 times)", "no (2 times)"}));
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
