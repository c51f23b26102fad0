// SPDX-License-Identifier: Apache-2.0

// A container's exit as a line of the journal.
#include "lifecycle/worker/exit_line.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kSecond = 1'000'000'000;

struct Row {
  std::int32_t code = 0;
  const char* reason = "";
  EndWanted wanted = EndWanted::kNo;
  ExitLine line{};
};

TEST(ExitLine, says_how_it_ended_and_warns_of_what_nobody_wanted) {
  const std::vector<Row> rows = {
      {0,
       "Completed",
       EndWanted::kNo,
       {LogLevel::kInfo, "ContainerExited", "container app ended with exit code 0, after 2 s"}},
      {3,
       "Error",
       EndWanted::kNo,
       {LogLevel::kWarn, "ContainerExited", "container app ended with exit code 3, after 2 s"}},
      {139,
       "Error",
       EndWanted::kNo,
       {LogLevel::kWarn, "ContainerExited",
        "container app ended with exit code 139 (signal SEGV), after 2 s"}},
      {143,
       "Error",
       EndWanted::kAskedToStop,
       {LogLevel::kInfo, "ContainerExited",
        "container app was being stopped, and ended with exit code 143 (signal TERM), after 2 s"}},
      {128,
       "ContainerCannotRun",
       EndWanted::kNo,
       {LogLevel::kWarn, "ContainerExited",
        "container app ended with exit code 128 (ContainerCannotRun), after 2 s"}},
      {1,
       "Error",
       EndWanted::kToBeStopped,
       {LogLevel::kInfo, "ContainerExited",
        "container app was about to be stopped, and ended with exit code 1, after 2 s"}},
      {137,
       "OOMKilled",
       EndWanted::kNo,
       {LogLevel::kWarn, "OOMKilled",
        "container app ran out of memory, and ended with exit code 137 (signal KILL), after 2 s"}},
      {137,
       "OOMKilled",
       EndWanted::kAskedToStop,
       {LogLevel::kWarn, "OOMKilled",
        "container app was being stopped, ran out of memory, and ended with exit code 137 "
        "(signal KILL), after 2 s"}}};
  for (const auto& [code, reason, wanted, line] : rows) {
    cri::ContainerStatus status;
    status.exit_code = code;
    status.reason = reason;
    status.started_at = kSecond;
    status.finished_at = 3 * kSecond;
    const ExitLine got = exit_line({.status = status, .who = "container app", .wanted = wanted});
    EXPECT_EQ(got.message, line.message);
    EXPECT_EQ(got.event, line.event);
    EXPECT_EQ(got.level, line.level) << line.message;
  }
}

TEST(ExitLine, leaves_out_for_how_long_it_ran_if_the_runtime_does_not_say) {
  cri::ContainerStatus status;
  status.finished_at = kSecond;
  EXPECT_EQ(exit_line({.status = status, .who = "container app"}).message,
            "container app ended with exit code 0");
  status.started_at = 2 * kSecond;
  EXPECT_EQ(exit_line({.status = status, .who = "container app"}).message,
            "container app ended with exit code 0")
      << "the clock was set";
}

class EndWantedTest : public ::testing::Test {
 protected:
  EndWantedTest() { status.finished_at = cri::unix_nanoseconds(now.wall); }
  // A stop that began that many seconds ago.
  void begin_stop(std::int64_t seconds, bool reached) {
    const StopPeriod period{.begun_at = now.steady - std::chrono::seconds(seconds), .seconds = 30};
    stop.in_force = {.period = period, .stored = stored_as(period, reached, now)};
  }
  [[nodiscard]] EndWanted wanted(bool pod_ends = false) const {
    return end_wanted(status, &stop, pod_ends, now);
  }

  // An exit time without a fraction would count as known to the second only.
  Instant now{.steady = SteadyTime{100s}, .wall = WallTime{500s + 1ns}};
  cri::ContainerStatus status{};
  ContainerStop stop{};
};

TEST_F(EndWantedTest, one_that_nobody_stops_ends_by_itself_unless_its_pod_ends) {
  EXPECT_EQ(end_wanted(status, nullptr, false, now), EndWanted::kNo);
  EXPECT_EQ(end_wanted(status, nullptr, true, now), EndWanted::kToBeStopped);
  EXPECT_EQ(wanted(), EndWanted::kNo) << "its stop was asked for, and has not begun";
}

TEST_F(EndWantedTest, one_was_asked_to_stop_once_a_hook_or_a_signal_had_reached_it) {
  begin_stop(2, false);
  EXPECT_EQ(wanted(true), EndWanted::kToBeStopped) << "it waited for its turn";
  begin_stop(2, true);
  EXPECT_EQ(wanted(true), EndWanted::kAskedToStop);
  EXPECT_EQ(wanted(false), EndWanted::kAskedToStop) << "it alone was stopped";
}

TEST_F(EndWantedTest, one_that_had_ended_before_its_stop_began_ended_by_itself) {
  begin_stop(2, true);
  status.finished_at -= 3 * kSecond;
  EXPECT_EQ(wanted(true), EndWanted::kNo);
}

TEST_F(EndWantedTest, one_whose_end_is_known_already_was_asked_to_stop_while_the_call_goes_on) {
  stop.calls.kill_at.insert(now.steady);
  EXPECT_EQ(wanted(true), EndWanted::kAskedToStop);
}

}  // namespace
}  // namespace berth::lifecycle
