// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/pods_known.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"
#include "tests/unit/agent/run_on_loop.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

boost::asio::awaitable<void> wait(PodsKnown& known, Clock& clock,
                                  std::optional<SteadyTime> deadline, std::vector<bool>& told) {
  const bool known_by_then = co_await known.by(clock, deadline);
  told.push_back(known_by_then);
}

TEST(PodsKnown, all_who_wait_go_on_when_it_is_known_or_at_their_deadline) {
  boost::asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  PodsKnown known{loop.get_executor()};
  std::vector<bool> told;
  TaskGroup tasks(loop.get_executor(), rethrow);
  const auto settle = [&loop] {
    loop.restart();
    loop.poll();
  };
  tasks.spawn("hasty", wait(known, clock, clock.steady_now() + 2s, told));
  tasks.spawn("patient", wait(known, clock, clock.steady_now() + 5s, told));
  tasks.spawn("for ever", wait(known, clock, std::nullopt, told));
  settle();
  clock.advance(2s);
  settle();
  EXPECT_EQ(told, std::vector<bool>{false});
  known.begin();
  settle();
  EXPECT_EQ(told, (std::vector<bool>{false, true, true}));
  tasks.spawn("late", wait(known, clock, clock.steady_now(), told));
  settle();
  EXPECT_TRUE(told.back());
  EXPECT_EQ(tasks.size(), 0U);
}

}  // namespace
}  // namespace berth::agent
