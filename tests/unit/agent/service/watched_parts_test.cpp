// SPDX-License-Identifier: Apache-2.0

#include "agent/service/watched_parts.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <string>

#include <boost/asio/io_context.hpp>

#include "base/real_clock.hpp"
#include "systemd/message_id.hpp"
#include "tests/unit/systemd/notify_socket.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

class WatchedPartsTest : public testing::Test {
 protected:
  ~WatchedPartsTest() override { ::unsetenv("WATCHDOG_USEC"); }

  Result<std::unique_ptr<PartBeats>> watch() {
    return watch_parts({.clock = clock_,
                        .pool = pool_,
                        .runtime_asked_at = [this] { return clock_.steady_now(); },
                        .store_turn = [this] { return store_turn(); }});
  }

  boost::asio::awaitable<void> store_turn() {
    ++store_turns_;
    co_return;
  }

  boost::asio::io_context loop_{1};
  RealClock clock_{};
  BlockingPool pool_{loop_.get_executor(), clock_, {}};
  int store_turns_ = 0;
};

TEST_F(WatchedPartsTest, a_part_that_is_late_is_an_error_with_an_entry_in_the_catalogue) {
  const systemd::Heartbeats::News hangs{
      .part = "the main loop", .late = true, .text = "watchdog: late"};
  const LogLine late = late_line(hangs);
  EXPECT_EQ(late.level, LogLevel::kError);
  EXPECT_EQ(late.message, "watchdog: late");
  EXPECT_NE(systemd::message_id(late.event), "");
  const systemd::Heartbeats::News goes_on{.part = "the main loop", .text = "watchdog: back"};
  const LogLine back = late_line(goes_on);
  EXPECT_EQ(back.level, LogLevel::kInfo);
  EXPECT_EQ(systemd::message_id(back.event), "");
}

TEST_F(WatchedPartsTest, nobody_beats_unless_the_service_manager_watches) {
  systemd::NotifySocket socket;
  const auto watched = watch();
  ASSERT_TRUE(watched);
  EXPECT_EQ(*watched, nullptr);
}

TEST_F(WatchedPartsTest, without_a_socket_nothing_is_fed) {
  ::setenv("WATCHDOG_USEC", "60000000", 1);
  const auto watched = watch();
  ASSERT_TRUE(watched);
  EXPECT_EQ(*watched, nullptr);
}

TEST_F(WatchedPartsTest, a_watchdog_that_makes_no_sense_is_a_failure) {
  systemd::NotifySocket socket;
  ::setenv("WATCHDOG_USEC", "1000000", 1);
  const auto watched = watch();
  ASSERT_FALSE(watched);
  EXPECT_EQ(watched.error().code, ErrorCode::kInvalid);
}

TEST_F(WatchedPartsTest, parts_that_beat_feed_the_watchdog) {
  systemd::NotifySocket socket;
  ::setenv("WATCHDOG_USEC", "60000000", 1);
  const auto watched = watch();
  ASSERT_TRUE(watched);
  ASSERT_NE(*watched, nullptr);
  TaskGroup tasks(loop_.get_executor(), [](std::string_view, std::exception_ptr failure) {
    std::rethrow_exception(failure);
  });
  (*watched)->begin(tasks);
  loop_.poll();
  EXPECT_EQ(socket.next(), "WATCHDOG=1");
  EXPECT_EQ(store_turns_, 1);
  tasks.request_stop();
  loop_.restart();
  loop_.poll();
}

TEST_F(WatchedPartsTest, the_loop_is_named_before_the_service_manager_acts) {
  for (const auto& part : watched_parts(20s))
    EXPECT_EQ(part.limit < 20s, part.name == "the main loop") << part.name;
}

}  // namespace
}  // namespace berth::agent
