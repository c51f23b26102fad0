// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/processes/hang_guard.hpp"

#include <csignal>

#include <unistd.h>

#include "tests/integration/process.hpp"

namespace berth::integration {
namespace {

const testing::TestInfo& this_test() {
  return *testing::UnitTest::GetInstance()->current_test_info();
}

TEST(HangGuard, a_test_that_exceeds_its_limit_is_named_and_what_it_waits_for_is_killed) {
  testing::internal::CaptureStderr();
  {
    HangGuard guard(std::chrono::seconds(1), std::chrono::minutes(1));
    guard.OnTestStart(this_test());
    // The command would run longer than this program's time limit.
    EXPECT_EQ(run({"sleep", "3000"}, {}, std::chrono::minutes(50)).exit_code, 128 + SIGKILL);
    guard.OnTestEnd(this_test());
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("HangGuard.a_test_that_exceeds_its_limit"), std::string::npos) << said;
  EXPECT_NE(said.find("sleep 3000"), std::string::npos) << said;
}

TEST(HangGuardDeathTest, a_test_that_does_not_end_even_then_ends_the_program) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        HangGuard guard(std::chrono::seconds(0), std::chrono::seconds(0));
        guard.OnTestStart(this_test());
        ::pause();
      },
      testing::ExitedWithCode(1), "does not end; the program exits");
}

TEST(HangGuard, a_test_that_ends_in_time_loses_nothing) {
  testing::internal::CaptureStderr();
  {
    HangGuard guard(std::chrono::minutes(1), std::chrono::minutes(1));
    guard.OnTestStart(this_test());
    EXPECT_EQ(run({"true"}).exit_code, 0);
    guard.OnTestEnd(this_test());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace berth::integration
