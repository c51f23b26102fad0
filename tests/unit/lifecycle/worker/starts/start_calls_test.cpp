// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/start_calls.hpp"

#include "tests/unit/lifecycle/pod_set_fixture.hpp"

namespace berth::lifecycle {
namespace {

class StartCallsTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> make_call(Nanoseconds duration) {
    const auto call = co_await calls.begin();
    log.emplace_back("begun");
    co_await clock.sleep_until(clock.steady_now() + duration);
    log.emplace_back("answered");
  }
  boost::asio::awaitable<void> finish(Nanoseconds patience) {
    const bool finished = co_await calls.finish(clock, clock.steady_now() + patience);
    log.emplace_back(finished ? "finished" : "given up");
  }

  StartCalls calls{loop.get_executor()};
};

TEST_F(StartCallsTest, the_end_waits_for_those_under_way) {
  spawn_and_drain(make_call(1s));
  spawn_and_drain(make_call(3s));
  spawn_and_drain(finish(10s));
  clock.advance(1s);
  EXPECT_EQ(log, (std::vector<std::string>{"begun", "begun", "answered"}));
  clock.advance(2s);
  EXPECT_EQ(log.back(), "finished");
}

TEST_F(StartCallsTest, the_end_waits_for_nothing_if_none_is_under_way) {
  spawn_and_drain(make_call(1s));
  clock.advance(1s);
  spawn_and_drain(finish(10s));
  EXPECT_EQ(log.back(), "finished");
}

TEST_F(StartCallsTest, none_begins_once_the_end_has_come) {
  spawn_and_drain(finish(10s));
  spawn_and_drain(make_call(1s));
  clock.advance(1h);
  EXPECT_EQ(log, std::vector<std::string>{"finished"});
}

TEST_F(StartCallsTest, a_runtime_that_does_not_answer_is_waited_for_only_so_long) {
  spawn_and_drain(make_call(1h));
  spawn_and_drain(finish(10s));
  clock.advance(10s);
  EXPECT_EQ(log.back(), "given up");
}

class EndOfBerthd : public PodSetTest {
 protected:
  boost::asio::awaitable<void> end_as_a_service() {
    co_await agent->pods().finish_starts();
    co_await agent->pods().stop();
    log.emplace_back("ended");
  }
  // Waits until `event` has been recorded; from then on the runtime does not respond.
  void hang_before(std::string_view event) {
    while (recorded_events.count(event) == 0) clock.advance(1ms);
    runtime.hang();
  }
};

// containerd rolls back a start whose caller disconnects: the container would have failed.
TEST_F(EndOfBerthd, lets_a_container_finish_its_start) {
  desire({pod("u1", {container("main", {"sim"})}, "Never")});
  hang_before("Created");
  spawn_and_drain(end_as_a_service());
  clock.advance(5s);
  EXPECT_TRUE(log.empty()) << "the runtime has not answered";
  runtime.wake_up();
  clock.advance(1s);
  EXPECT_EQ(log, std::vector<std::string>{"ended"});
  log.clear();
  EXPECT_EQ(recorded_events.count("Started"), 1);
  EXPECT_EQ(live(), 1);
  agent.reset();
}

TEST_F(EndOfBerthd, waits_ten_seconds_for_a_runtime_that_is_silent) {
  desire({pod("u1", {container("main", {"sim"})})});
  hang_before("Created");
  spawn_and_drain(end_as_a_service());
  clock.advance(10s);
  EXPECT_EQ(log, std::vector<std::string>{"ended"});
  log.clear();
  EXPECT_TRUE(std::ranges::any_of(agent->warnings(), [](const std::string& warning) {
    return warning.starts_with("StartsUnfinished: ");
  }));
  agent.reset();
  runtime.wake_up();
  clock.advance(1s);
}

}  // namespace
}  // namespace berth::lifecycle
