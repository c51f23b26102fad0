// SPDX-License-Identifier: Apache-2.0

#include "base/task_group.hpp"

#include <stdexcept>

#include <boost/asio/this_coro.hpp>

#include "base/notification.hpp"
#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

struct LogsItsEnd {
  Log& log;
  std::string name;
  ~LogsItsEnd() { log.push_back(name + " ended"); }
};

awaitable<void> sleeper(Clock& clock, Log& log, std::string name) {
  const LogsItsEnd end{log, name};
  log.push_back(name + " started");
  co_await clock.sleep_for(1h);
  log.push_back(name + " slept");
}

awaitable<void> thrower(Clock& clock) {
  co_await clock.sleep_for(1s);
  throw std::runtime_error("a bug");
}

awaitable<void> joiner(TaskGroup& group, Log& log) {
  co_await group.join();
  log.push_back("joined");
}

awaitable<void> cleans_up_slowly(Clock& clock, Log& log) {
  bool stopped = false;
  try {
    co_await clock.sleep_for(1h);
  } catch (const boost::system::system_error&) {
    stopped = true;
  }
  if (stopped) {
    co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
    co_await clock.sleep_for(5s);
  }
  log.push_back("clean");
}

awaitable<void> spawns_more(TaskGroup& group, Clock& clock, Log& log) {
  group.spawn("child", sleeper(clock, log, "child"));
  log.push_back("parent ended");
  co_return;
}

awaitable<void> add_to(Log& log) {
  log.push_back("ran");
  co_return;
}

struct TaskGroupTest : LoopFixture {
  void drain_some(int turns) {
    if (loop.stopped()) loop.restart();
    for (int i = 0; i < turns; ++i) loop.poll_one();
  }

  TaskGroup workers{loop.get_executor(), [this](std::string_view task, std::exception_ptr) {
                      log.push_back("bug in " + std::string(task));
                    }};
  void TearDown() override {
    workers.request_stop();
    drain();
    LoopFixture::TearDown();
  }
};

TEST_F(TaskGroupTest, a_task_starts_in_the_next_turn) {
  workers.spawn("a", sleeper(clock, log, "a"));
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(workers.size(), 1U);
  drain();
  EXPECT_EQ(log, Log{"a started"});
}

TEST_F(TaskGroupTest, a_task_that_is_stopped_before_the_loop_has_seen_it_never_begins) {
  workers.spawn("a", sleeper(clock, log, "a"));
  workers.request_stop();
  drain();
  EXPECT_EQ(log, Log{});
  EXPECT_EQ(workers.size(), 0U);
}

TEST_F(TaskGroupTest, a_task_that_ends_leaves_the_group) {
  workers.spawn("a", sleeper(clock, log, "a"));
  clock.advance(1h);
  EXPECT_EQ(log, (Log{"a started", "a slept", "a ended"}));
  EXPECT_EQ(workers.size(), 0U);
}

TEST_F(TaskGroupTest, what_is_under_way_is_listed_by_name) {
  workers.spawn("a", sleeper(clock, log, "a"));
  clock.advance(30min);
  workers.spawn("b", sleeper(clock, log, "b"));
  drain();
  EXPECT_EQ(workers.names(), (std::vector<std::string>{"a", "b"}));
  clock.advance(30min);
  EXPECT_EQ(workers.names(), std::vector<std::string>{"b"});
}

TEST_F(TaskGroupTest, stopping_cancels_in_order_of_spawning_and_join_waits_for_all) {
  workers.spawn("a", sleeper(clock, log, "a"));
  workers.spawn("b", sleeper(clock, log, "b"));
  drain();
  log.clear();
  workers.request_stop();
  spawn_and_drain(joiner(workers, log));
  EXPECT_EQ(log, (Log{"a ended", "b ended", "joined"}));
}

TEST_F(TaskGroupTest, join_waits_for_a_task_that_cleans_up) {
  workers.spawn("slow", cleans_up_slowly(clock, log));
  drain();
  workers.request_stop();
  spawn_and_drain(joiner(workers, log));
  EXPECT_TRUE(log.empty());
  clock.advance(5s);
  EXPECT_EQ(log, (Log{"clean", "joined"}));
}

TEST_F(TaskGroupTest, joining_an_empty_group_completes_at_once) {
  spawn_and_drain(joiner(workers, log));
  EXPECT_EQ(log, Log{"joined"});
}

TEST_F(TaskGroupTest, join_without_stop_waits_for_the_tasks_own_end) {
  workers.spawn("a", sleeper(clock, log, "a"));
  spawn("joiner", joiner(workers, log));
  clock.advance(59min);
  EXPECT_EQ(log, Log{"a started"});
  clock.advance(1min);
  EXPECT_EQ(log.back(), "joined");
}

TEST_F(TaskGroupTest, after_stop_new_tasks_are_dropped_unstarted) {
  workers.request_stop();
  workers.spawn("late", sleeper(clock, log, "late"));
  drain();
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(workers.size(), 0U);
}

TEST_F(TaskGroupTest, a_task_cancelled_before_its_first_turn_never_starts) {
  workers.spawn("a", sleeper(clock, log, "a"));
  workers.request_stop();
  drain();
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(workers.size(), 0U);
}

TEST_F(TaskGroupTest, an_exception_that_escapes_is_reported_with_the_tasks_name) {
  workers.spawn("thrower", thrower(clock));
  workers.spawn("a", sleeper(clock, log, "a"));
  clock.advance(1s);
  EXPECT_EQ(log, (Log{"a started", "bug in thrower"}));
  EXPECT_EQ(workers.size(), 1U);
}

TEST_F(TaskGroupTest, a_stop_from_outside_the_loop_may_meet_a_task_at_any_point_of_its_end) {
  for (int turns = 0; turns < 12; ++turns) {
    TaskGroup group(loop.get_executor(), [](auto, auto) { FAIL(); });
    group.spawn("short", add_to(log));
    drain_some(turns);
    group.request_stop();
    drain();
    EXPECT_EQ(group.size(), 0U) << turns;
  }
}

TEST_F(TaskGroupTest, cancellation_is_no_bug) {
  workers.spawn("a", sleeper(clock, log, "a"));
  drain();
  workers.request_stop();
  drain();
  EXPECT_EQ(log, (Log{"a started", "a ended"}));
}

TEST_F(TaskGroupTest, a_task_may_spawn_into_its_own_group) {
  workers.spawn("parent", spawns_more(workers, clock, log));
  drain();
  EXPECT_EQ(log, (Log{"parent ended", "child started"}));
}

TEST(TaskGroupDeathTest, destroying_a_group_under_its_tasks_aborts_and_names_one) {
  EXPECT_DEATH(
      {
        boost::asio::io_context loop(1);
        VirtualClock clock(loop, WallTime{});
        Log log;
        auto group = std::make_unique<TaskGroup>(loop.get_executor(), [](auto, auto) {});
        group->spawn("orphan", sleeper(clock, log, "orphan"));
        group.reset();
      },
      "orphan");
}

}  // namespace
}  // namespace berth
