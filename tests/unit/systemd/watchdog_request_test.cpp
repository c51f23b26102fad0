// SPDX-License-Identifier: Apache-2.0

#include "systemd/watchdog_request.hpp"

#include <gtest/gtest.h>

namespace berth::systemd {
namespace {

using namespace std::chrono_literals;

constexpr pid_t kSelf = 42;

TEST(WatchdogRequestTest, a_process_is_watched_when_the_variables_mean_it) {
  const struct {
    WatchdogVariables variables{};
    std::optional<Nanoseconds> timeout{};
  } cases[] = {
      {{}, std::nullopt},
      {{.pid = "42"}, std::nullopt},
      {{.usec = "60000000"}, 60s},
      {{.usec = "60000000", .pid = "42"}, 60s},
      {{.usec = "60000000", .pid = "43"}, std::nullopt},
      {{.usec = "1000001"}, 1s + 1us},
  };
  for (const auto& [variables, timeout] : cases) {
    const auto got = requested_watchdog(variables, kSelf);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(*got, timeout) << variables.usec.value_or("-") << " " << variables.pid.value_or("-");
  }
}

TEST(WatchdogRequestTest, what_makes_no_sense_is_refused) {
  const struct {
    WatchdogVariables variables{};
    std::string begins{};
  } cases[] = {
      {{.usec = ""}, "configure watchdog: "},
      {{.usec = "a minute"}, "configure watchdog: "},
      {{.usec = "60000000 "}, "configure watchdog: "},
      {{.usec = "0"}, "configure watchdog: "},
      {{.usec = "-60000000"}, "configure watchdog: "},
      {{.usec = "9223372036854775807"}, "configure watchdog: "},
      {{.usec = "60000000", .pid = "init"}, "configure watchdog: "},
      {{.usec = "1000000"}, "configure watchdog timeout too small: "},
      {{.usec = "1"}, "configure watchdog timeout too small: "},
  };
  for (const auto& [variables, begins] : cases) {
    const auto got = requested_watchdog(variables, kSelf);
    ASSERT_FALSE(got) << *variables.usec;
    EXPECT_EQ(got.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(got.error().message.substr(0, begins.size()), begins);
  }
}

}  // namespace
}  // namespace berth::systemd
