// SPDX-License-Identifier: Apache-2.0

#include "base/broadcast.hpp"

#include "tests/unit/base/loop_fixture.hpp"

namespace berth {
namespace {

class BroadcastTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> wait_as(std::string name) {
    co_await bell.wait();
    log.push_back(std::move(name));
  }
  boost::asio::awaitable<void> wait_a_second(std::string name) {
    const bool rang = co_await bell.wait_until(clock, clock.steady_now() + 1s);
    log.push_back(name + (rang ? " rang" : " late"));
  }

  Broadcast bell{loop.get_executor()};
};

TEST_F(BroadcastTest, wakes_all_who_wait_in_the_order_in_which_they_came) {
  for (const char* name : {"first", "second", "third"}) spawn_and_drain(wait_as(name));
  EXPECT_TRUE(log.empty());
  bell.ring();
  drain();
  EXPECT_EQ(log, (std::vector<std::string>{"first", "second", "third"}));
}

TEST_F(BroadcastTest, remembers_no_ring) {
  bell.ring();
  spawn_and_drain(wait_as("late"));
  EXPECT_TRUE(log.empty());
  bell.ring();
  drain();
  EXPECT_EQ(log, std::vector<std::string>{"late"});
}

TEST_F(BroadcastTest, a_deadline_ends_the_wait_of_one_and_no_other) {
  spawn_and_drain(wait_a_second("a"));
  spawn_and_drain(wait_as("b"));
  clock.advance(1s);
  EXPECT_EQ(log, std::vector<std::string>{"a late"});
  bell.ring();
  drain();
  EXPECT_EQ(log, (std::vector<std::string>{"a late", "b"}));
}

TEST_F(BroadcastTest, a_ring_comes_before_a_deadline_of_the_same_turn) {
  spawn_and_drain(wait_a_second("a"));
  bell.ring();
  clock.advance(1s);
  EXPECT_EQ(log, std::vector<std::string>{"a rang"});
}

TEST_F(BroadcastTest, a_waiter_that_is_cancelled_is_gone) {
  TaskGroup others{loop.get_executor(), [](std::string_view, std::exception_ptr) {}};
  others.spawn("cancelled", wait_as("cancelled"));
  spawn_and_drain(wait_as("other"));
  others.request_stop();
  drain();
  EXPECT_EQ(others.size(), 0U);
  bell.ring();
  drain();
  EXPECT_EQ(log, std::vector<std::string>{"other"});
}

}  // namespace
}  // namespace berth
