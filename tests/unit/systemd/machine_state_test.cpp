// SPDX-License-Identifier: Apache-2.0

// Whether the machine is shutting down, according to the service manager.
#include "systemd/machine_state.hpp"

#include <gtest/gtest.h>

#include "base/real_clock.hpp"
#include "tests/unit/agent/temporary_folder.hpp"
#include "tests/unit/systemd/made_up_service_manager.hpp"

namespace berth::systemd {
namespace {

using namespace std::chrono_literals;

TEST(MachineState, is_going_off_only_while_systemd_is_stopping) {
  for (const char* state :
       {"initializing", "starting", "running", "degraded", "maintenance", "stopping", ""}) {
    const agent::TemporaryFolder folder;
    const MadeUpServiceManager manager(folder.path("private"), {.state = state});
    const auto goes_off = machine_goes_off(5s, folder.path("private"));
    ASSERT_TRUE(goes_off) << goes_off.error().message;
    EXPECT_EQ(*goes_off, std::string(state) == "stopping") << state;
  }
}

// sd-bus itself would wait for 90 s, also when it closes the connection.
TEST(MachineState, is_unknown_in_time_if_systemd_lets_us_in_and_says_nothing) {
  const agent::TemporaryFolder folder;
  const MadeUpServiceManager manager(folder.path("private"), {.hangs = true});
  const RealClock clock;
  const auto began = clock.steady_now();
  const auto goes_off = machine_goes_off(20ms, folder.path("private"));
  EXPECT_LT(clock.steady_now() - began, 30s);
  ASSERT_FALSE(goes_off);
  EXPECT_EQ(goes_off.error().code, ErrorCode::kTimeout);
}

TEST(MachineState, is_unknown_where_systemd_is_not_the_service_manager) {
  const agent::TemporaryFolder folder;
  const auto goes_off = machine_goes_off(5s, folder.path("private"));
  ASSERT_FALSE(goes_off);
  EXPECT_EQ(goes_off.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(goes_off.error().message.starts_with("asking systemd for the machine's state: "));
}

}  // namespace
}  // namespace berth::systemd
