// SPDX-License-Identifier: Apache-2.0

#include "base/notification.hpp"

#include <boost/system/system_error.hpp>

#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<void> wait_times(Notification& bell, Log& log, int times) {
  for (int i = 0; i < times; ++i) {
    co_await bell.wait();
    log.push_back("rung");
  }
}

awaitable<void> wait_with_deadline(Notification& bell, Clock& clock,
                                   std::optional<SteadyTime> deadline, Log& log) {
  try {
    const bool rung = co_await bell.wait_until(clock, deadline);
    log.push_back(rung ? "rung" : "late");
  } catch (const boost::system::system_error&) {
    log.push_back("cancelled");
  }
}

struct NotificationTest : LoopFixture {
  Notification bell{loop.get_executor()};
};

TEST_F(NotificationTest, a_waiter_is_woken_in_a_later_turn) {
  spawn_and_drain(wait_times(bell, log, 1));
  bell.notify();
  EXPECT_TRUE(log.empty());
  drain();
  EXPECT_EQ(log, Log{"rung"});
  EXPECT_FALSE(bell.pending());
}

TEST_F(NotificationTest, notifying_twice_before_the_wait_is_one_notification) {
  bell.notify();
  bell.notify();
  EXPECT_TRUE(bell.pending());
  spawn_and_drain(wait_times(bell, log, 2));
  EXPECT_EQ(log, Log{"rung"});
}

TEST_F(NotificationTest, notifying_twice_before_the_waiter_runs_is_one_notification) {
  spawn_and_drain(wait_times(bell, log, 2));
  bell.notify();
  bell.notify();
  drain();
  EXPECT_EQ(log, Log{"rung"});
}

TEST_F(NotificationTest, the_deadline_comes_first) {
  spawn_and_drain(wait_with_deadline(bell, clock, SteadyTime{5s}, log));
  clock.advance(5s);
  EXPECT_EQ(log, Log{"late"});
}

TEST_F(NotificationTest, the_notification_comes_before_the_deadline) {
  spawn_and_drain(wait_with_deadline(bell, clock, SteadyTime{5s}, log));
  clock.advance(4s);
  bell.notify();
  drain();
  EXPECT_EQ(log, Log{"rung"});
  EXPECT_EQ(clock.next_deadline(), std::nullopt);
}

TEST_F(NotificationTest, a_notification_in_the_turn_of_the_deadline_is_not_lost) {
  spawn_and_drain(wait_with_deadline(bell, clock, SteadyTime{5s}, log));
  clock.step();
  bell.notify();
  drain();
  EXPECT_EQ(log, Log{"rung"});
}

TEST_F(NotificationTest, without_a_deadline_it_waits_for_ever) {
  spawn_and_drain(wait_with_deadline(bell, clock, std::nullopt, log));
  clock.advance(24h);
  EXPECT_TRUE(log.empty());
  bell.notify();
  drain();
  EXPECT_EQ(log, Log{"rung"});
}

TEST_F(NotificationTest, a_pending_notification_answers_at_once_whatever_the_deadline) {
  bell.notify();
  spawn_and_drain(wait_with_deadline(bell, clock, SteadyTime{}, log));
  EXPECT_EQ(log, Log{"rung"});
}

TEST_F(NotificationTest, waiting_honours_cancellation_with_and_without_deadline) {
  spawn_and_drain(wait_with_deadline(bell, clock, SteadyTime{1h}, log));
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"cancelled"});
  EXPECT_EQ(clock.next_deadline(), std::nullopt);
}

TEST_F(NotificationTest, a_cancelled_wait_leaves_later_notifications_pending) {
  spawn_and_drain(wait_with_deadline(bell, clock, std::nullopt, log));
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"cancelled"});
  bell.notify();
  EXPECT_TRUE(bell.pending());
}

}  // namespace
}  // namespace berth
