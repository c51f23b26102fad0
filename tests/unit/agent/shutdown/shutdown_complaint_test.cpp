// SPDX-License-Identifier: Apache-2.0

// What is reported to an operator about a shutdown that could not proceed as configured.
#include "agent/shutdown/shutdown_complaint.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using systemd::LoginState;

const ConfiguredShutdown kConfigured{{{0, 20s}, {2'000'000'000, 10s}}, "shutdownGracePeriod"};
const ShutdownComplaint kNone;

TEST(ShutdownComplaint, is_silent_while_all_is_well_or_nothing_is_known_or_asked_for) {
  EXPECT_EQ(shutdown_complaint(kConfigured, {.connected = true, .longest_delay = 30s}), kNone);
  EXPECT_EQ(shutdown_complaint(kConfigured, {}), kNone);
  EXPECT_EQ(shutdown_complaint({}, {.connected = true, .longest_delay = 5s}), kNone);
  EXPECT_EQ(shutdown_complaint({}, {.error = "no bus"}), kNone);
}

TEST(ShutdownComplaint, says_how_long_the_machine_waits_and_how_to_have_it_wait_longer) {
  const auto found = shutdown_complaint(kConfigured, {.connected = true, .longest_delay = 5s});
  EXPECT_EQ(
      found.problem,
      "pods are to be stopped within 30s before the machine shuts down (shutdownGracePeriod), "
      "but systemd-logind waits for 5s at most");
  EXPECT_EQ(found.advice,
            "write InhibitDelayMaxSec=30 below [Login] into "
            "/etc/systemd/logind.conf.d/99-berth.conf, then `systemctl kill -s HUP "
            "--kill-whom=main systemd-logind`");
  EXPECT_EQ(found.sentence(), found.problem + ": " + found.advice);
}

TEST(ShutdownComplaint, says_that_nobody_announces_the_end_and_who_would) {
  const auto found =
      shutdown_complaint(kConfigured, {.error = "the system bus cannot be reached: No such file"});
  EXPECT_EQ(found.problem,
            "pods are to be stopped in order before the machine shuts down "
            "(shutdownGracePeriod), but no service announces a shutdown (the system bus cannot "
            "be reached: No such file), and they would be stopped only when berthd is, beside "
            "other services");
  EXPECT_EQ(found.advice,
            "start systemd-logind, for which D-Bus is needed (systemctl start dbus "
            "systemd-logind), or take shutdownGracePeriod out of the configuration");
}

TEST(ShutdownComplaint, says_why_the_machine_would_not_wait_unless_it_goes_off_already) {
  LoginState login{.connected = true,
                   .longest_delay = 30s,
                   .lock = systemd::DelayLock::refused("systemd-logind gives no inhibitor lock")};
  const auto found = shutdown_complaint(kConfigured, login);
  EXPECT_EQ(found.problem,
            "pods are to be stopped in order before the machine shuts down (shutdownGracePeriod), "
            "but it would not wait for them (systemd-logind gives no inhibitor lock), and they "
            "would be stopped only when berthd is, beside other services");
  EXPECT_FALSE(found.advice.empty());
  login.shutting_down = true;
  EXPECT_EQ(shutdown_complaint(kConfigured, login), kNone);
}

TEST(ShutdownComplaint, names_the_field_that_is_set) {
  const ConfiguredShutdown by_priority{{{0, 20s}}, "shutdownGracePeriodByPodPriority"};
  for (const LoginState& login :
       {LoginState{.error = "no bus"}, LoginState{.connected = true, .longest_delay = 5s},
        LoginState{.connected = true, .lock = systemd::DelayLock::refused("no")}})
    EXPECT_NE(
        shutdown_complaint(by_priority, login)
            .problem.find("before the machine shuts down (shutdownGracePeriodByPodPriority), but"),
        std::string::npos);
}

}  // namespace
}  // namespace berth::agent
