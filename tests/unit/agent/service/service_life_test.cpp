// SPDX-License-Identifier: Apache-2.0

// Signals, sent to this process.
#include "agent/service/service_life.hpp"

#include <csignal>
#include <optional>

#include "tests/unit/base/loop_fixture.hpp"

namespace berth::agent {
namespace {

using Lines = std::vector<std::string>;

class ServiceLifeTest : public LoopFixture {
 protected:
  void begin() {
    life.begin();
    spawn("reload", log_reloads());
    spawn_and_drain(log_orders());
  }
  void send(int signal) {
    ASSERT_EQ(std::raise(signal), 0);
    drain();
  }

  boost::asio::awaitable<void> log_reloads() {
    for (;;) {
      co_await life.reload_requested();
      log.push_back("reload");
    }
  }
  boost::asio::awaitable<void> log_orders() {
    auto order = co_await life.next_order();
    for (; order == ServiceLife::Order::kReportState; order = co_await life.next_order())
      log.push_back("report");
    log.push_back(order == ServiceLife::Order::kEnd ? "end" : "give up");
  }

  static boost::asio::awaitable<void> ask(ServiceLife& of,
                                          std::optional<ServiceLife::Order>& order) {
    order = co_await of.next_order();
  }

  ServiceLife life{loop};
};

TEST_F(ServiceLifeTest, a_reload_is_passed_on_and_berthd_lives_on) {
  begin();
  send(SIGHUP);
  send(SIGUSR1);
  send(SIGHUP);
  EXPECT_EQ(log, (Lines{"reload", "report", "reload"}));
  EXPECT_EQ(life.exit_code(), 0);
}

TEST_F(ServiceLifeTest, a_reload_requested_before_anybody_waits_is_kept) {
  send(SIGHUP);
  EXPECT_EQ(log, Lines{});
  begin();
  EXPECT_EQ(log, Lines{"reload"});
}

TEST_F(ServiceLifeTest, a_terminating_signal_ends_it_with_0) {
  for (const int signal : {SIGTERM, SIGINT}) {
    ServiceLife own(loop);
    own.begin();
    std::optional<ServiceLife::Order> order;
    spawn_and_drain(ask(own, order));
    EXPECT_FALSE(order);
    EXPECT_FALSE(own.is_ending());
    send(signal);
    EXPECT_EQ(order, ServiceLife::Order::kEnd);
    EXPECT_TRUE(own.is_ending());
    EXPECT_EQ(own.exit_code(), 0);
  }
}

TEST_F(ServiceLifeTest, giving_up_ends_the_wait_for_orders) {
  begin();
  EXPECT_TRUE(life.give_up(69));
  EXPECT_TRUE(life.is_ending());
  drain();
  EXPECT_EQ(log, Lines{"give up"});
  EXPECT_EQ(life.exit_code(), 69);
}

TEST_F(ServiceLifeTest, whoever_was_asked_to_end_does_not_give_up_any_more) {
  begin();
  send(SIGTERM);
  EXPECT_FALSE(life.give_up(-1));
  EXPECT_EQ(life.exit_code(), 0);
}

TEST_F(ServiceLifeTest, the_first_reason_to_give_up_stands) {
  begin();
  EXPECT_TRUE(life.give_up(69));
  EXPECT_FALSE(life.give_up(-1));
  EXPECT_EQ(life.exit_code(), 69);
}

TEST_F(ServiceLifeTest, giving_up_before_anybody_waits_is_not_lost) {
  EXPECT_TRUE(life.give_up(-1));
  begin();
  EXPECT_EQ(log, Lines{"give up"});
}

}  // namespace
}  // namespace berth::agent
