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
                                  std::optional<SteadyTime> deadline, std::vector<bool>& answers) {
  const bool known_by_then = co_await known.by(clock, deadline);
  answers.push_back(known_by_then);
}

TEST(PodsKnown, all_who_wait_go_on_when_it_is_known_or_at_their_deadline) {
  boost::asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  PodsKnown known{loop.get_executor()};
  std::vector<bool> answers;
  TaskGroup tasks(loop.get_executor(), rethrow);
  const auto settle = [&loop] {
    loop.restart();
    loop.poll();
  };
  tasks.spawn("hasty", wait(known, clock, clock.steady_now() + 2s, answers));
  tasks.spawn("patient", wait(known, clock, clock.steady_now() + 5s, answers));
  tasks.spawn("for ever", wait(known, clock, std::nullopt, answers));
  settle();
  clock.advance(2s);
  settle();
  EXPECT_EQ(answers, std::vector<bool>{false});
  known.begin();
  settle();
  EXPECT_EQ(answers, (std::vector<bool>{false, true, true}));
  tasks.spawn("late", wait(known, clock, clock.steady_now(), answers));
  settle();
  EXPECT_TRUE(answers.back());
  EXPECT_EQ(tasks.size(), 0U);
}

}  // namespace
}  // namespace berth::agent
