// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/start_turns.hpp"

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

class StartTurnsTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> begin(StartTurns::Place& place, std::string name) {
    co_await place.until_turn();
    place.give_back();
    log.push_back(std::move(name));
  }

  StartTurns turns{loop.get_executor(), clock};
  StartTurns::Place first{turns};
  StartTurns::Place second{turns};
  StartTurns::Place third{turns};
};

TEST_F(StartTurnsTest, come_in_the_order_of_places_whoever_is_ready_first) {
  spawn_and_drain(begin(third, "third"));
  spawn_and_drain(begin(second, "second"));
  EXPECT_TRUE(log.empty());
  spawn_and_drain(begin(first, "first"));
  EXPECT_EQ(log, (std::vector<std::string>{"first", "second", "third"}));
}

TEST_F(StartTurnsTest, a_place_that_is_given_back_is_not_waited_for) {
  spawn_and_drain(begin(third, "third"));
  second.give_back();
  EXPECT_TRUE(log.empty());
  first.give_back();
  drain();
  EXPECT_EQ(log, (std::vector<std::string>{"third"}));
}

TEST_F(StartTurnsTest, nobody_waits_for_ever_for_one_that_takes_its_time) {
  spawn_and_drain(begin(second, "second"));
  clock.advance(StartTurns::kPatience - 1ms);
  EXPECT_TRUE(log.empty());
  clock.advance(1ms);
  EXPECT_EQ(log, (std::vector<std::string>{"second"}));
}

}  // namespace
}  // namespace berth::lifecycle
