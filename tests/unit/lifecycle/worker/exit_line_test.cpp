// SPDX-License-Identifier: Apache-2.0

// A container's end as a line of the journal.
#include "lifecycle/worker/exit_line.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

struct Row {
  std::int32_t code = 0;
  const char* reason = "";
  bool ordered = false;
  ExitLine line{};
};

TEST(ExitLine, says_how_it_ended_and_warns_of_what_nobody_wanted) {
  const std::vector<Row> rows = {
      {0,
       "Completed",
       false,
       {LogLevel::kInfo, "ContainerExited", "container app ended with exit code 0, after 2 s"}},
      {3,
       "Error",
       false,
       {LogLevel::kWarn, "ContainerExited", "container app ended with exit code 3, after 2 s"}},
      {139,
       "Error",
       false,
       {LogLevel::kWarn, "ContainerExited",
        "container app ended with exit code 139 (signal SEGV), after 2 s"}},
      {143,
       "Error",
       true,
       {LogLevel::kInfo, "ContainerExited",
        "container app was told to stop, and ended with exit code 143 (signal TERM), after 2 s"}},
      {128,
       "ContainerCannotRun",
       false,
       {LogLevel::kWarn, "ContainerExited",
        "container app ended with exit code 128 (ContainerCannotRun), after 2 s"}},
      {137,
       "OOMKilled",
       true,
       {LogLevel::kWarn, "OOMKilled",
        "container app was killed for using more memory than it may: exit code 137 (signal KILL), "
        "after 2 s"}}};
  for (const auto& [code, reason, ordered, line] : rows) {
    cri::ContainerStatus status;
    status.exit_code = code;
    status.reason = reason;
    status.started_at = kSecond;
    status.finished_at = 3 * kSecond;
    const ExitLine got = exit_line({.status = status, .who = "container app", .ordered = ordered});
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

}  // namespace
}  // namespace berth::lifecycle
