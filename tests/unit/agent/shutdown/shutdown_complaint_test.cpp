// SPDX-License-Identifier: Apache-2.0

// What an operator hears of a shutdown that could not be what the configuration asks for.
#include "agent/shutdown/shutdown_complaint.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using systemd::LoginState;

const ShutdownComplaint kNone;
const lifecycle::ShutdownGroups kGroups = {{0, 20s}, {2'000'000'000, 10s}};

TEST(ShutdownComplaint, is_silent_while_all_is_well_or_nothing_is_known_or_asked_for) {
  EXPECT_EQ(shutdown_complaint(kGroups, {.connected = true, .longest_delay = 30s}), kNone);
  EXPECT_EQ(shutdown_complaint(kGroups, {}), kNone);
  EXPECT_EQ(shutdown_complaint({}, {.connected = true, .longest_delay = 5s}), kNone);
  EXPECT_EQ(shutdown_complaint({}, {.error = "no bus"}), kNone);
}

TEST(ShutdownComplaint, says_how_long_the_machine_waits_and_how_to_have_it_wait_longer) {
  const auto found = shutdown_complaint(kGroups, {.connected = true, .longest_delay = 5s});
  EXPECT_EQ(found.problem,
            "pods are to be stopped within 30s before the machine goes off (shutdownGracePeriod), "
            "but systemd-logind waits for 5s at most");
  EXPECT_EQ(found.advice,
            "write InhibitDelayMaxSec=30 below [Login] into "
            "/etc/systemd/logind.conf.d/99-berth.conf, then `systemctl kill -s HUP "
            "--kill-whom=main systemd-logind`");
  EXPECT_EQ(found.sentence(), found.problem + ": " + found.advice);
}

TEST(ShutdownComplaint, says_that_nobody_announces_the_end_and_who_would) {
  const auto found =
      shutdown_complaint(kGroups, {.error = "the system bus cannot be reached: No such file"});
  EXPECT_EQ(found.problem,
            "pods are to be stopped in order before the machine goes off (shutdownGracePeriod), "
            "but nobody announces that (the system bus cannot be reached: No such file), and they "
            "would be stopped like everything else");
  EXPECT_EQ(found.advice,
            "start systemd-logind, for which D-Bus is needed (systemctl start dbus "
            "systemd-logind), or take shutdownGracePeriod out of the configuration");
}

}  // namespace
}  // namespace berth::agent
