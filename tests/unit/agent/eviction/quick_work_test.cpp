// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/quick_work.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

using boost::asio::awaitable;

// Logs where each run was executed. There is one thread beside the loop, and the loop waits
// meanwhile, so two threads never touch the clock at the same time.
struct QuickWorkTest : LoopFixture {
  awaitable<void> run(std::vector<Nanoseconds> each_takes) {
    for (const Nanoseconds takes : each_takes) {
      std::function<std::thread::id()> job = [this, takes] {
        clock.advance(takes);
        return std::this_thread::get_id();
      };
      const std::thread::id by = co_await work.run("work", std::move(job));
      log.push_back(by == std::this_thread::get_id() ? "on the loop" : "beside it");
    }
  }

  void runs(std::vector<Nanoseconds> each_takes) {
    spawn("work", run(std::move(each_takes)));
    loop.run();
  }

  BlockingPool pool{loop.get_executor(), clock, {.threads = 1}};
  QuickWork work{clock, pool};
  static constexpr Nanoseconds kQuick = QuickWork::kQuick;
  static constexpr Nanoseconds kSlow = QuickWork::kQuick + Nanoseconds(1);
};

TEST_F(QuickWorkTest, that_stays_quick_is_done_on_the_loop) {
  runs({kQuick, Nanoseconds(0), kQuick});
  EXPECT_EQ(log, (std::vector<std::string>{"on the loop", "on the loop", "on the loop"}));
}

TEST_F(QuickWorkTest, that_was_slow_is_done_beside_the_loop_until_it_is_quick_again) {
  runs({kSlow, kSlow, kQuick, kQuick});
  EXPECT_EQ(log,
            (std::vector<std::string>{"on the loop", "beside it", "beside it", "on the loop"}));
}

}  // namespace
}  // namespace berth::agent
