// SPDX-License-Identifier: Apache-2.0

#include "base/blocking_pool.hpp"

#include <algorithm>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

#include "base/real_clock.hpp"
#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<void> run_and_log(BlockingPool& pool, std::thread::id loop_thread, Log& log) {
  std::function<bool()> work = [loop_thread] { return std::this_thread::get_id() == loop_thread; };
  const bool inline_ = co_await pool.run("work", std::move(work));
  log.push_back(inline_ ? "on the loop" : "beside the loop");
  log.push_back(std::this_thread::get_id() == loop_thread ? "back" : "astray");
}

awaitable<void> run_throwing(BlockingPool& pool, Log& log) {
  std::function<int()> work = []() -> int { throw std::runtime_error("disk"); };
  try {
    co_await pool.run("work", std::move(work));
  } catch (const std::runtime_error& error) {
    log.push_back(error.what());
  }
}

awaitable<void> run_twice(BlockingPool& pool, Log& log) {
  std::function<std::string()> work = [] { return std::string("value"); };
  auto copy = work;
  log.push_back(co_await pool.run("work", std::move(work)));
  log.push_back(co_await pool.run("work", std::move(copy)));
}

struct BlockingPoolTest : LoopFixture {
  void run() {
    if (loop.stopped()) loop.restart();
    loop.run();
  }
};

TEST_F(BlockingPoolTest, without_threads_work_runs_on_the_loop) {
  BlockingPool pool(loop.get_executor(), clock, {});
  spawn_and_drain(run_and_log(pool, std::this_thread::get_id(), log));
  EXPECT_EQ(log, (Log{"on the loop", "back"}));
}

TEST_F(BlockingPoolTest, with_threads_work_runs_beside_the_loop_and_comes_back) {
  BlockingPool pool(loop.get_executor(), clock, {.threads = 2});
  spawn("work", run_and_log(pool, std::this_thread::get_id(), log));
  run();
  EXPECT_EQ(log, (Log{"beside the loop", "back"}));
}

TEST_F(BlockingPoolTest, an_exception_comes_back_to_the_caller) {
  BlockingPool threads(loop.get_executor(), clock, {.threads = 1});
  BlockingPool none(loop.get_executor(), clock, {});
  spawn("threads", run_throwing(threads, log));
  spawn("none", run_throwing(none, log));
  run();
  EXPECT_EQ(log, (Log{"disk", "disk"}));
}

TEST_F(BlockingPoolTest, a_stopped_task_still_awaits_the_work_that_runs) {
  BlockingPool pool(loop.get_executor(), clock, {});
  spawn("twice", run_twice(pool, log));
  loop.poll_one();  // the task starts and submits its work
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"value"}) << "the second run must not start";
}

// Blocks its thread until it is released.
struct StuckWork {
  std::promise<void> go{};
  std::shared_future<void> gone{go.get_future().share()};

  [[nodiscard]] std::function<int()> work() const {
    return [gone = gone] {
      gone.wait();
      return 1;
    };
  }
};

awaitable<void> run_stuck(BlockingPool& pool, const StuckWork& stuck, Log& log,
                          BlockingPool::Files files = BlockingPool::Files::kOwn) {
  try {
    const int value = co_await pool.run("reading a dead disk", stuck.work(), files);
    log.push_back("returned " + std::to_string(value));
  } catch (const boost::system::system_error&) {
    log.push_back("given up");
  }
}

TEST_F(BlockingPoolTest, work_that_does_not_return_is_reported_and_holds_up_nobody_else) {
  StuckWork stuck;
  std::vector<std::string> reported;
  BlockingPool* of = nullptr;
  BlockingPool pool(loop.get_executor(), clock,
                    {.threads = 1, .on_stuck = [&](const BlockingPool::Work& work) {
                       reported.push_back(work.what);
                       EXPECT_EQ(of->stuck().size(), 1U);
                       spawn("other", run_and_log(*of, std::this_thread::get_id(), log));
                     }});
  of = &pool;
  spawn("stuck", run_stuck(pool, stuck, log));
  drain();
  clock.advance(std::chrono::seconds(9));
  EXPECT_TRUE(reported.empty());
  clock.advance(std::chrono::seconds(1));
  while (log.size() < 2) loop.run_one();
  EXPECT_EQ(log, (Log{"beside the loop", "back"}));
  EXPECT_EQ(reported, Log{"reading a dead disk"});
  EXPECT_NE(BlockingPool::text(pool.stuck().at(0), clock.steady_now()).find("for 10 s: its file"),
            std::string::npos);
  stuck.go.set_value();
  run();
  EXPECT_EQ(log.back(), "returned 1");
  EXPECT_TRUE(pool.stuck().empty());
  EXPECT_EQ(reported.size(), 1U);
}

TEST_F(BlockingPoolTest, work_is_stuck_ten_seconds_after_a_thread_took_it) {
  StuckWork first;
  StuckWork second;
  std::vector<SteadyTime> since;
  BlockingPool pool(loop.get_executor(), clock,
                    {.threads = 1, .on_stuck = [&](const BlockingPool::Work& work) {
                       since.push_back(work.since);
                     }});
  const SteadyTime began = clock.steady_now();
  spawn("first", run_stuck(pool, first, log));
  drain();
  clock.advance(3s);
  spawn("second", run_stuck(pool, second, log));
  drain();
  clock.advance(7s);
  EXPECT_EQ(since, std::vector{began}) << "the second one waits for a thread";
  EXPECT_EQ(pool.stuck().size(), 1U);
  clock.advance(9s);
  EXPECT_EQ(since.size(), 1U) << "a new thread took the second one when the first was stuck";
  clock.advance(1s);
  EXPECT_EQ(since, (std::vector{began, began + 10s}));
  first.go.set_value();
  second.go.set_value();
  run();
  EXPECT_TRUE(pool.stuck().empty());
}

TEST_F(BlockingPoolTest, work_that_waits_behind_other_work_is_not_stuck) {
  StuckWork slow;
  StuckWork waiting;
  int reported = 0;
  BlockingPool pool(loop.get_executor(), clock,
                    {.threads = 1, .on_stuck = [&](const auto& /*work*/) { ++reported; }});
  spawn("slow", run_stuck(pool, slow, log));
  spawn("waiting", run_stuck(pool, waiting, log));
  drain();
  clock.advance(9s);
  slow.go.set_value();
  while (log.empty()) loop.run_one();
  clock.advance(9s);
  EXPECT_EQ(reported, 0) << "a thread took it nine seconds ago";
  clock.advance(1s);
  EXPECT_EQ(reported, 1);
  waiting.go.set_value();
  run();
}

// More work on dead disks of others than may have a thread.
struct ForeignWork : BlockingPoolTest {
  static constexpr std::size_t kWaiting = 4;
  static constexpr std::size_t kAll = BlockingPool::kForeignAtMost + kWaiting;

  void begin_all() {
    for (std::size_t i = 0; i < kAll; ++i)
      spawn("stuck " + std::to_string(i),
            run_stuck(*pool, stuck[i], log, BlockingPool::Files::kForeign));
    drain();
  }
  void wait_until_stuck() {
    for (std::size_t i = 0; i < kAll; ++i) clock.advance(10s);
  }
  void expect_others_run() {
    log.clear();
    spawn("other", run_and_log(*pool, std::this_thread::get_id(), log));
    while (log.size() < 2) loop.run_one();
    EXPECT_EQ(log, (Log{"beside the loop", "back"}));
    log.clear();
  }
  [[nodiscard]] std::ptrdiff_t waiting() const {
    return std::ranges::count_if(pool->stuck(),
                                 [](const auto& one) { return !one.behind.empty(); });
  }

  std::vector<StuckWork> stuck = std::vector<StuckWork>(kAll);
  std::vector<BlockingPool::Work> reported{};
  std::unique_ptr<BlockingPool> pool = std::make_unique<BlockingPool>(
      loop.get_executor(), clock,
      BlockingPool::Options{.threads = 3, .on_stuck = [this](const BlockingPool::Work& work) {
                              reported.push_back(work);
                            }});
};

TEST_F(ForeignWork, leaves_a_thread_to_others_from_the_first_moment_on) {
  begin_all();
  expect_others_run();
  clock.advance(10s);
  expect_others_run();
  EXPECT_EQ(pool->stuck().size() - static_cast<std::size_t>(waiting()), 2U);
  for (StuckWork& one : stuck) one.go.set_value();
  run();
  EXPECT_EQ(log, Log(kAll, "returned 1"));
}

TEST_F(ForeignWork, that_is_stuck_takes_half_of_all_threads_and_the_rest_waits_and_says_for_what) {
  begin_all();
  wait_until_stuck();
  expect_others_run();
  EXPECT_EQ(pool->stuck().size(), kAll);
  EXPECT_EQ(waiting(), std::ptrdiff_t{kWaiting});
  const std::string text = BlockingPool::text(pool->stuck().back(), clock.steady_now());
  EXPECT_TRUE(text.starts_with("reading a dead disk has waited for 200 s for its turn: reading a "))
      << text;
  std::size_t said = 0;
  for (const auto& work : reported)
    if (!work.behind.empty()) ++said;
  EXPECT_EQ(said, kAll - 4) << "once by each that had not begun after ten seconds";
  EXPECT_EQ(reported.size(), said + BlockingPool::kForeignAtMost);
  for (StuckWork& one : stuck) one.go.set_value();
  run();
  EXPECT_EQ(log, Log(kAll, "returned 1"));
  EXPECT_TRUE(pool->stuck().empty());
}

TEST_F(ForeignWork, begins_when_other_such_work_returns) {
  begin_all();
  wait_until_stuck();
  for (std::size_t i = BlockingPool::kForeignAtMost; i < kAll; ++i) stuck[i].go.set_value();
  drain();
  EXPECT_TRUE(log.empty()) << "what waits has no thread";
  stuck[0].go.set_value();
  while (log.size() < 1 + kWaiting) loop.run_one();
  EXPECT_EQ(waiting(), 0);
  EXPECT_EQ(pool->stuck().size(), BlockingPool::kForeignAtMost - 1);
  for (std::size_t i = 1; i < BlockingPool::kForeignAtMost; ++i) stuck[i].go.set_value();
  run();
}

TEST_F(ForeignWork, that_waits_ends_when_it_is_cancelled) {
  TaskGroup impatient(loop.get_executor(), [](std::string_view, const std::exception_ptr&) {});
  begin_all();
  StuckWork late;
  impatient.spawn("late", run_stuck(*pool, late, log, BlockingPool::Files::kForeign));
  drain();
  impatient.request_stop();
  drain();
  EXPECT_EQ(log, Log{"given up"});
  EXPECT_EQ(impatient.size(), 0U);
  for (StuckWork& one : stuck) one.go.set_value();
  run();
  EXPECT_EQ(log.size(), 1 + kAll);
}

TEST_F(ForeignWork, that_waits_holds_up_nobody_who_ends) {
  begin_all();
  wait_until_stuck();
  pool->give_up();
  run();
  EXPECT_EQ(log, Log(kAll, "given up"));
  EXPECT_EQ(pool->abandoned().size(), BlockingPool::kForeignAtMost) << "those that began";
  EXPECT_TRUE(std::ranges::none_of(pool->stuck(), [](const auto& one) {
    return !one.behind.empty();
  })) << "nobody waits any more";
  pool.reset();
  for (StuckWork& one : stuck) one.go.set_value();
}

TEST_F(ForeignWork, that_waits_does_not_begin_when_the_pool_is_destroyed) {
  begin_all();
  for (std::size_t i = 0; i < 2; ++i) stuck[i].go.set_value();
  pool.reset();
  run();
  EXPECT_EQ(std::ranges::count(log, "given up"), std::ptrdiff_t{kAll - 2});
  EXPECT_EQ(std::ranges::count(log, "returned 1"), 2);
}

TEST_F(BlockingPoolTest, foreign_work_runs_with_a_single_thread_and_with_none) {
  StuckWork done;
  done.go.set_value();
  BlockingPool single(loop.get_executor(), clock, {.threads = 1});
  BlockingPool none(loop.get_executor(), clock, {});
  for (BlockingPool* pool : {&single, &none})
    for (int i = 0; i < 2; ++i)
      spawn("work", run_stuck(*pool, done, log, BlockingPool::Files::kForeign));
  run();
  EXPECT_EQ(log, Log(4, "returned 1"));
}

TEST_F(BlockingPoolTest, whoever_ends_gives_up_what_does_not_return) {
  StuckWork stuck;
  {
    BlockingPool pool(loop.get_executor(), clock, {.threads = 1});
    spawn("stuck", run_stuck(pool, stuck, log));
    spawn("queued", run_stuck(pool, stuck, log));
    loop.poll();
    EXPECT_TRUE(pool.abandoned().empty());
    pool.give_up();
    spawn("late", run_stuck(pool, stuck, log));
    run();
    EXPECT_EQ(log, (Log{"given up", "given up", "given up"}));
    ASSERT_EQ(pool.abandoned().size(), 1U) << "only one of them began";
    EXPECT_EQ(pool.abandoned()[0].what, "reading a dead disk");
  }
  stuck.go.set_value();
}

TEST_F(BlockingPoolTest,
       work_that_was_given_up_keeps_no_loop_running_when_other_such_work_returns) {
  RealClock real;
  StuckWork first;
  StuckWork second;
  {
    BlockingPool pool(loop.get_executor(), real, {.threads = 2});
    spawn("first", run_stuck(pool, first, log));
    spawn("second", run_stuck(pool, second, log));
    loop.poll();
    pool.give_up();
    first.go.set_value();
    loop.run_for(std::chrono::seconds(5));
    EXPECT_TRUE(loop.stopped()) << "nothing is left to do";
    EXPECT_EQ(log, (Log{"given up", "given up"}));
  }
  second.go.set_value();
}

TEST_F(BlockingPoolTest, work_that_was_given_up_keeps_no_loop_running) {
  RealClock real;
  StuckWork stuck;
  {
    BlockingPool pool(loop.get_executor(), real, {.threads = 1});
    spawn("stuck", run_stuck(pool, stuck, log));
    loop.poll();
    pool.give_up();
    loop.run_for(std::chrono::seconds(5));
    EXPECT_TRUE(loop.stopped()) << "nothing is left to do";
    EXPECT_EQ(log, Log{"given up"});
  }
  stuck.go.set_value();
}

}  // namespace
}  // namespace berth
