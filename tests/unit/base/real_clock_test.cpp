// SPDX-License-Identifier: Apache-2.0

#include "base/real_clock.hpp"

#include <boost/system/system_error.hpp>

#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<void> sleep_and_log(Clock& clock, Nanoseconds duration, Log& log) {
  const SteadyTime deadline = clock.steady_now() + duration;
  try {
    co_await clock.sleep_until(deadline);
    log.push_back(clock.steady_now() >= deadline ? "slept" : "woke early");
  } catch (const boost::system::system_error&) {
    log.push_back("cancelled");
  }
}

struct RealClockTest : LoopFixture {
  RealClock real{};
};

TEST_F(RealClockTest, a_sleeper_does_not_wake_before_its_deadline) {
  spawn("sleeper", sleep_and_log(real, 2ms, log));
  loop.run();
  EXPECT_EQ(log, Log{"slept"});
}

TEST_F(RealClockTest, a_deadline_that_has_passed_returns) {
  spawn("sleeper", sleep_and_log(real, -1h, log));
  loop.run();
  EXPECT_EQ(log, Log{"slept"});
}

TEST_F(RealClockTest, a_sleeper_can_be_cancelled) {
  spawn_and_drain(sleep_and_log(real, 24h, log));
  tasks.request_stop();
  loop.run();
  EXPECT_EQ(log, Log{"cancelled"});
}

TEST_F(RealClockTest, an_alarm_calls_from_the_loop_and_not_before_its_moment) {
  const SteadyTime moment = real.steady_now() + 2ms;
  const Alarm alarm = real.call_at(loop.get_executor(), moment, [&] {
    log.push_back(real.steady_now() >= moment ? "called" : "called early");
  });
  EXPECT_TRUE(log.empty());
  loop.run();
  EXPECT_EQ(log, Log{"called"});
}

TEST_F(RealClockTest, an_alarm_let_go_of_does_not_call_even_if_it_is_due) {
  Alarm other;
  const SteadyTime past = real.steady_now() - 1s;
  const Alarm first = real.call_at(loop.get_executor(), past, [&] {
    log.push_back("first");
    other.reset();
  });
  other = real.call_at(loop.get_executor(), past, [&] { log.push_back("other"); });
  loop.run();
  EXPECT_EQ(log, Log{"first"});
}

TEST_F(RealClockTest, wall_time_is_of_this_century) {
  EXPECT_GT(real.wall_now(), WallTime{std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}});
}

}  // namespace
}  // namespace berth
