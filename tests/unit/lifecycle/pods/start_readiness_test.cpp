// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/start_readiness.hpp"

#include <gtest/gtest.h>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

class StartReadinessTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> log_when_ready() {
    co_await readiness.until_ready();
    log.emplace_back("ready");
  }
  boost::asio::awaitable<void> log_when_listed() {
    co_await readiness.until_runtime_listed();
    log.emplace_back("listed");
  }
  void begin() {
    readiness.note_runtime_listed();
    readiness.note_sources_known();
    ASSERT_TRUE(readiness.begin_first_pass());
  }

  StartReadiness readiness{loop.get_executor()};
};

TEST_F(StartReadinessTest, nothing_begins_before_runtime_and_sources_have_spoken) {
  EXPECT_FALSE(readiness.begin_first_pass());
  readiness.note_sources_known();
  EXPECT_FALSE(readiness.may_begin());
  EXPECT_FALSE(readiness.begin_first_pass());
  readiness.note_runtime_listed();
  EXPECT_TRUE(readiness.may_begin());
}

TEST_F(StartReadinessTest, only_one_pass_is_the_first) {
  begin();
  EXPECT_FALSE(readiness.begin_first_pass());
  spawn_and_drain(readiness.await_first_looks(clock));
  EXPECT_TRUE(readiness.ready());
  EXPECT_FALSE(readiness.begin_first_pass());
}

TEST_F(StartReadinessTest, everybody_who_waits_hears_that_the_runtime_was_listed) {
  spawn("first", log_when_listed());
  spawn("second", log_when_listed());
  drain();
  EXPECT_TRUE(log.empty());
  readiness.note_runtime_listed();
  drain();
  EXPECT_EQ(log.size(), 2U);
  spawn_and_drain(log_when_listed());
  EXPECT_EQ(log.size(), 3U);
}

TEST_F(StartReadinessTest, it_is_ready_once_every_pod_that_was_found_is_shown_or_gone) {
  begin();
  spawn("waiter", log_when_ready());
  readiness.expect("a");
  readiness.expect("b");
  spawn_and_drain(readiness.await_first_looks(clock));
  readiness.note_seen("a");
  readiness.note_seen("another");
  drain();
  EXPECT_FALSE(readiness.ready());
  readiness.note_seen("b");
  drain();
  EXPECT_TRUE(readiness.ready());
  EXPECT_EQ(log, std::vector<std::string>{"ready"});
}

TEST_F(StartReadinessTest,
       a_pod_of_which_the_runtime_reports_nothing_holds_it_up_for_five_seconds) {
  begin();
  readiness.expect("mute");
  spawn_and_drain(readiness.await_first_looks(clock));
  clock.advance(4999ms);
  EXPECT_FALSE(readiness.ready());
  clock.advance(1ms);
  EXPECT_TRUE(readiness.ready());
}

}  // namespace
}  // namespace berth::lifecycle
