// SPDX-License-Identifier: Apache-2.0

#include "base/virtual_clock.hpp"

#include <cstdlib>

#include <boost/system/system_error.hpp>

#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<void> sleep_and_log(VirtualClock& clock, SteadyTime deadline, Log& log,
                              std::string name) {
  try {
    co_await clock.sleep_until(deadline);
    log.push_back(name);
  } catch (const boost::system::system_error& error) {
    log.push_back(name + " cancelled");
  }
}

awaitable<void> tick(VirtualClock& clock, Log& log, int times) {
  for (int i = 0; i < times; ++i) {
    co_await clock.sleep_for(1h);
    log.push_back("tick");
  }
}

struct VirtualClockTest : LoopFixture {
  void sleep_until(SteadyTime deadline, std::string name) {
    spawn(name, sleep_and_log(clock, deadline, log, name));
  }
};

TEST_F(VirtualClockTest, a_step_jumps_to_the_next_deadline) {
  sleep_until(SteadyTime{1h}, "hour");
  sleep_until(SteadyTime{10s}, "ten seconds");
  drain();
  EXPECT_EQ(clock.next_deadline(), SteadyTime{10s});
  EXPECT_TRUE(clock.step());
  drain();
  EXPECT_EQ(log, Log{"ten seconds"});
  EXPECT_EQ(clock.steady_now(), SteadyTime{10s});
  EXPECT_TRUE(clock.step());
  drain();
  EXPECT_EQ(clock.steady_now(), SteadyTime{1h});
  EXPECT_FALSE(clock.step());
  EXPECT_EQ(clock.next_deadline(), std::nullopt);
}

TEST_F(VirtualClockTest, equal_deadlines_fire_in_the_order_they_were_set) {
  Log expected;
  for (int i = 0; i < 9; ++i) {
    sleep_until(SteadyTime{5s}, std::to_string(i));
    expected.push_back(std::to_string(i));
  }
  drain();
  clock.advance(5s);
  EXPECT_EQ(log, expected);
}

TEST_F(VirtualClockTest, a_step_wakes_exactly_one_sleeper) {
  sleep_until(SteadyTime{5s}, "a");
  sleep_until(SteadyTime{5s}, "b");
  drain();
  clock.step();
  drain();
  EXPECT_EQ(log, Log{"a"});
}

TEST_F(VirtualClockTest, advancing_wakes_who_is_due_and_who_becomes_due_meanwhile) {
  spawn("tick", tick(clock, log, 5));
  clock.advance(3h + 30min);
  EXPECT_EQ(log.size(), 3U);
  EXPECT_EQ(clock.steady_now(), SteadyTime{3h + 30min});
}

TEST_F(VirtualClockTest, a_deadline_that_has_passed_returns_in_the_next_turn) {
  clock.advance(1min);
  sleep_until(SteadyTime{10s}, "past");
  drain();
  EXPECT_EQ(log, Log{"past"});
  EXPECT_EQ(clock.steady_now(), SteadyTime{1min});
}

TEST_F(VirtualClockTest, a_cancelled_sleeper_is_notified_and_forgotten) {
  sleep_until(SteadyTime{10s}, "a");
  drain();
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"a cancelled"});
  EXPECT_EQ(clock.next_deadline(), std::nullopt);
}

TEST_F(VirtualClockTest, a_cancellation_after_the_wake_is_harmless) {
  sleep_until(SteadyTime{10s}, "a");
  drain();
  clock.step();
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"a"});
}

TEST_F(VirtualClockTest, alarms_and_sleepers_take_their_turns_in_the_order_they_were_set) {
  const auto call = [this](std::string name) {
    return clock.call_at(loop.get_executor(), SteadyTime{5s},
                         [this, name] { log.push_back(name); });
  };
  const Alarm first = call("first");
  sleep_until(SteadyTime{5s}, "sleeper");
  drain();
  const Alarm last = call("last");
  clock.advance(4s);
  EXPECT_EQ(log, Log{});
  clock.advance(1s);
  EXPECT_EQ(log, (Log{"first", "sleeper", "last"}));
}

TEST_F(VirtualClockTest, an_alarm_whose_moment_has_passed_calls_in_the_next_turn) {
  const Alarm alarm =
      clock.call_at(loop.get_executor(), SteadyTime{-1s}, [this] { log.push_back("called"); });
  EXPECT_EQ(log, Log{});
  drain();
  EXPECT_EQ(log, Log{"called"});
}

TEST_F(VirtualClockTest, an_alarm_let_go_of_is_forgotten_also_when_it_was_due) {
  const auto call = [this] { log.push_back("called"); };
  Alarm alarm = clock.call_at(loop.get_executor(), SteadyTime{5s}, call);
  alarm.reset();
  EXPECT_EQ(clock.next_deadline(), std::nullopt);
  alarm = clock.call_at(loop.get_executor(), SteadyTime{5s}, call);
  EXPECT_TRUE(clock.step());
  alarm.reset();
  drain();
  EXPECT_EQ(log, Log{});
}

TEST_F(VirtualClockTest, wall_time_moves_with_steady_time_and_can_jump_alone) {
  const WallTime start = clock.wall_now();
  clock.advance(10s);
  EXPECT_EQ(clock.wall_now(), start + 10s);
  clock.set_wall(start - 1h);
  clock.advance(1s);
  EXPECT_EQ(clock.wall_now(), start - 1h + 1s);
  EXPECT_EQ(clock.steady_now(), SteadyTime{11s});
}

awaitable<void> sleep_holding(VirtualClock& clock, std::shared_ptr<int> held) {
  co_await clock.sleep_for(1h);
  ++*held;
}

// Runs in a separate process: the group never learns of the end, so it cannot be destroyed.
[[noreturn]] void destroy_a_clock_under_a_sleeper() {
  auto held = std::make_shared<int>(0);
  boost::asio::io_context loop(1);
  auto clock = std::make_unique<VirtualClock>(loop, WallTime{});
  TaskGroup tasks(loop.get_executor(), [](auto, auto) {});
  tasks.spawn("sleeper", sleep_holding(*clock, held));
  loop.poll();
  const bool was_held = held.use_count() == 2;
  clock.reset();
  loop.poll();  // coroutines are unwound on the loop
  std::_Exit(was_held && held.use_count() == 1 && *held == 0 ? 0 : 1);
}

TEST(VirtualClockDeathTest, sleepers_left_at_the_end_are_destroyed_with_their_coroutines) {
  EXPECT_EXIT(destroy_a_clock_under_a_sleeper(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace berth
