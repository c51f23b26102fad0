// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/exec_turns.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"
#include "tests/unit/agent/run_on_loop.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;
using Turn = std::unique_ptr<ExecTurns::Turn>;

class ExecTurnsTest : public testing::Test {
 protected:
  ~ExecTurnsTest() override {
    tasks.request_stop();
    settle();
  }

  boost::asio::awaitable<void> take(std::string pod, std::string name) {
    auto turn = co_await turns.take(std::move(pod), clock, clock.steady_now() + 10s);
    order.push_back(turn ? name : name + " came too late");
    if (turn) held[name] = std::move(turn);
  }
  void ask(const std::string& pod, const std::string& name) {
    tasks.spawn(name, take(pod, name));
    settle();
  }
  void settle() {
    loop.restart();
    loop.poll();
  }

  boost::asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  ExecTurns turns{loop.get_executor(), 2};
  std::map<std::string, Turn> held{};
  std::set<std::string> silent{};
  std::vector<std::string> order{};
  TaskGroup tasks{loop.get_executor(), rethrow};
};

TEST_F(ExecTurnsTest, of_a_pod_so_many_and_then_one_for_each_that_is_over) {
  for (const char* name : {"a", "b", "c", "d"}) ask("pod", name);
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b"}));
  held.erase("b");
  settle();
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c"}));
  held.clear();
  settle();
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c", "d"}));
}

TEST_F(ExecTurnsTest, who_may_still_be_starting_makes_room_for_so_many_only) {
  const auto all_silent = [this] {
    for (const auto& [name, turn] : held) {
      if (!silent.insert(name).second) continue;
      turn->count_as_silent();
    }
    settle();
  };
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) ask("pod", name);
  EXPECT_EQ(held.size(), 2U);
  all_silent();
  EXPECT_EQ(held.size(), 4U);
  all_silent();
  EXPECT_EQ(held.size(), 6U);
  all_silent();
  EXPECT_EQ(held.size(), 6U);
  held.erase("a");
  settle();
  EXPECT_EQ(order.back(), "g");
  EXPECT_EQ(held.size(), 6U);
}

TEST_F(ExecTurnsTest, pods_do_not_wait_for_one_another) {
  for (const char* name : {"a", "b", "c"}) ask("pod", name);
  ask("other", "d");
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "d"}));
}

TEST_F(ExecTurnsTest, who_has_waited_too_long_or_gone_away_takes_none) {
  for (const char* name : {"a", "b", "c"}) ask("pod", name);
  clock.advance(10s);
  settle();
  EXPECT_EQ(order.back(), "c came too late");
  {
    TaskGroup leaving(loop.get_executor(), rethrow);
    leaving.spawn("gone", take("pod", "gone"));
    settle();
    leaving.request_stop();
    settle();
  }
  ask("pod", "d");
  held.erase("a");
  settle();
  EXPECT_EQ(order.back(), "d");
  EXPECT_FALSE(held.contains("gone"));
}

}  // namespace
}  // namespace berth::agent
