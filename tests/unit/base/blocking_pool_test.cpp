#include "base/blocking_pool.hpp"

#include <stdexcept>
#include <thread>

#include "loop_fixture.hpp"

namespace berth {
namespace {

using boost::asio::awaitable;
using Log = std::vector<std::string>;

awaitable<void> run_and_tell(BlockingPool& pool, std::thread::id loop_thread, Log& log) {
  std::function<bool()> work = [loop_thread] { return std::this_thread::get_id() == loop_thread; };
  const bool inline_ = co_await pool.run(std::move(work));
  log.push_back(inline_ ? "on the loop" : "beside the loop");
  log.push_back(std::this_thread::get_id() == loop_thread ? "back" : "astray");
}

awaitable<void> run_throwing(BlockingPool& pool, Log& log) {
  std::function<int()> work = []() -> int { throw std::runtime_error("disk"); };
  try {
    co_await pool.run(std::move(work));
  } catch (const std::runtime_error& error) {
    log.push_back(error.what());
  }
}

awaitable<void> run_twice(BlockingPool& pool, Log& log) {
  std::function<std::string()> work = [] { return std::string("value"); };
  auto copy = work;
  log.push_back(co_await pool.run(std::move(work)));
  log.push_back(co_await pool.run(std::move(copy)));
}

struct BlockingPoolTest : LoopFixture {
  void run() {
    if (loop.stopped()) loop.restart();
    loop.run();
  }
};

TEST_F(BlockingPoolTest, without_threads_work_runs_on_the_loop) {
  BlockingPool pool(loop.get_executor(), 0);
  spawn_and_drain(run_and_tell(pool, std::this_thread::get_id(), log));
  EXPECT_EQ(log, (Log{"on the loop", "back"}));
}

TEST_F(BlockingPoolTest, with_threads_work_runs_beside_the_loop_and_comes_back) {
  BlockingPool pool(loop.get_executor(), 2);
  spawn("work", run_and_tell(pool, std::this_thread::get_id(), log));
  run();
  EXPECT_EQ(log, (Log{"beside the loop", "back"}));
}

TEST_F(BlockingPoolTest, an_exception_comes_back_to_the_caller) {
  BlockingPool threads(loop.get_executor(), 1);
  BlockingPool none(loop.get_executor(), 0);
  spawn("threads", run_throwing(threads, log));
  spawn("none", run_throwing(none, log));
  run();
  EXPECT_EQ(log, (Log{"disk", "disk"}));
}

TEST_F(BlockingPoolTest, a_stopped_task_still_awaits_the_work_that_runs) {
  BlockingPool pool(loop.get_executor(), 0);
  spawn("twice", run_twice(pool, log));
  loop.poll_one();  // the task starts and hands over its work
  tasks.request_stop();
  drain();
  EXPECT_EQ(log, Log{"value"}) << "the second run must not start";
}

}  // namespace
}  // namespace berth
