// SPDX-License-Identifier: Apache-2.0

// A pod's mailbox and its bell.
#include "lifecycle/worker/pod_mailbox.hpp"

#include <string>
#include <utility>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::lifecycle {
namespace {

class PodMailboxTest : public LoopFixture {
 protected:
  boost::asio::awaitable<void> rest_for_a_second() {
    co_await mailbox.rest(clock, clock.steady_now() + 1s, "u1");
    log.push_back("awake");
  }
  static PodOrders inspect() { return {.inspect = true}; }

  PodMailbox mailbox{loop.get_executor()};
};

TEST_F(PodMailboxTest, orders_are_merged_and_collected_once) {
  mailbox.post(inspect(), std::nullopt);
  mailbox.post({.collect = Collection::kFinishedPods}, std::nullopt);
  mailbox.post({.collect = Collection::kRemains}, std::nullopt);
  const PodOrders collected = mailbox.collect();
  EXPECT_TRUE(collected.inspect);
  EXPECT_EQ(collected.collect, Collection::kFinishedPods);
  EXPECT_TRUE(mailbox.orders().empty());
}

TEST_F(PodMailboxTest, an_order_to_end_that_waits_is_merged_as_it_has_become) {
  mailbox.post({.end = Ending{.requested_at = WallTime{1s}}}, std::nullopt);
  mailbox.post(inspect(), Ending{.requested_at = WallTime{2s}});
  EXPECT_EQ(mailbox.orders().end->requested_at, WallTime{2s});
  EXPECT_TRUE(mailbox.orders().inspect);
}

TEST_F(PodMailboxTest, whoever_rests_is_woken_by_mail) {
  spawn_and_drain(rest_for_a_second());
  EXPECT_TRUE(mailbox.resting());
  mailbox.post(inspect(), std::nullopt);
  drain();
  EXPECT_EQ(log, std::vector<std::string>{"awake"});
  EXPECT_FALSE(mailbox.resting());
}

TEST_F(PodMailboxTest, a_bell_that_rang_before_is_heard) {
  mailbox.ring();
  spawn_and_drain(rest_for_a_second());
  EXPECT_EQ(log, std::vector<std::string>{"awake"});
}

TEST_F(PodMailboxTest, a_rest_ends_at_its_time) {
  spawn_and_drain(rest_for_a_second());
  clock.advance(999ms);
  EXPECT_TRUE(log.empty());
  clock.advance(1ms);
  EXPECT_EQ(log, std::vector<std::string>{"awake"});
}

}  // namespace
}  // namespace berth::lifecycle
