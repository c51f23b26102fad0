// SPDX-License-Identifier: Apache-2.0

#include "systemd/notify.hpp"

#include <gtest/gtest.h>

#include "tests/unit/systemd/notify_socket.hpp"

namespace berth::systemd {
namespace {

using namespace std::chrono_literals;

void say_everything() {
  notify_ready();
  notify_status("12 pods running");
  notify_reloading(SteadyTime{90061s + 7us});
  notify_stopping();
  notify_longer(90s + 1ns);
  notify_alive();
}

class NotifyTest : public testing::TestWithParam<NotifySocket::Kind> {};

TEST_P(NotifyTest, each_message_reaches_the_socket_in_the_words_of_sd_notify) {
  NotifySocket socket(GetParam());
  say_everything();
  for (const char* message :
       {"READY=1", "STATUS=12 pods running", "RELOADING=1\nMONOTONIC_USEC=90061000007",
        "STOPPING=1", "EXTEND_TIMEOUT_USEC=90000001", "WATCHDOG=1"})
    EXPECT_EQ(socket.next(), message);
}

INSTANTIATE_TEST_SUITE_P(AbstractAndPath, NotifyTest,
                         testing::Values(NotifySocket::Kind::kAbstract, NotifySocket::Kind::kPath));

TEST(NotifyWithoutSocketTest, without_NOTIFY_SOCKET_nothing_is_sent) {
  NotifySocket socket;
  ::unsetenv("NOTIFY_SOCKET");
  say_everything();
  EXPECT_EQ(socket.next(0ms), std::nullopt);
}

}  // namespace
}  // namespace berth::systemd
