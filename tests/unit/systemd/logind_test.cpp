// SPDX-License-Identifier: Apache-2.0

// systemd-logind as berthd sees it, at the other end of a socket.
#include "systemd/logind.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/real_clock.hpp"
#include "base/task_group.hpp"
#include "tests/unit/systemd/made_up_logind.hpp"

namespace berth::systemd {
namespace {

using namespace std::chrono_literals;

class LogindTest : public testing::Test {
 protected:
  void SetUp() override {
    logind.emplace(loop.get_executor(), clock,
                   Logind::Names{.who = "berthd", .why = "berthd needs time"},
                   [this]() -> Result<sd_bus*> {
                     if (!there) return fail(ErrorCode::kUnavailable, "there is no bus");
                     return other.connect();
                   });
  }
  void TearDown() override {
    tasks.request_stop();
    loop.restart();
    loop.poll();
    EXPECT_EQ(tasks.size(), 0U);
    logind.reset();
    EXPECT_EQ(other.held(), 0) << "a lock outlives berthd";
  }
  void begin() { tasks.spawn("logind", logind->run()); }

  // Runs both sides until the condition holds.
  template <class Condition>
  bool until(Condition holds) {
    const SteadyTime limit = clock.steady_now() + 10s;
    while (!holds() && clock.steady_now() < limit) {
      if (loop.stopped()) loop.restart();
      other.turn();
      loop.run_for(1ms);
    }
    return holds();
  }
  [[nodiscard]] const LoginState& state() const { return logind->state(); }
  [[nodiscard]] bool refused() const { return state().lock.state == DelayLock::State::kRefused; }

  boost::asio::io_context loop{1};
  RealClock clock{};
  TaskGroup tasks{loop.get_executor(), [](std::string_view task, std::exception_ptr) {
                    ADD_FAILURE() << task << " failed";
                  }};
  MadeUpLogind other{};
  bool there = true;
  std::optional<Logind> logind{};
};

TEST_F(LogindTest, says_how_long_the_machine_waits) {
  other.longest_delay = 30'000'000;
  begin();
  ASSERT_TRUE(until([&] { return state().connected; }));
  EXPECT_EQ(state().longest_delay, 30s);
  EXPECT_FALSE(state().shutting_down);
  EXPECT_FALSE(state().delayed());
  EXPECT_EQ(state().error, "");
  EXPECT_TRUE(other.asked.empty()) << "nobody wanted a delay";
}

TEST_F(LogindTest, holds_a_lock_from_when_it_is_asked_to_until_it_lets_go) {
  begin();
  ASSERT_TRUE(until([&] { return state().connected; }));
  logind->delay();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  EXPECT_EQ(other.asked, std::vector<std::string>{"shutdown berthd delay"});
  EXPECT_EQ(other.held(), 1);
  logind->let_go();
  EXPECT_FALSE(state().delayed());
  EXPECT_EQ(other.held(), 0);
  logind->delay();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  EXPECT_EQ(other.held(), 1);
}

TEST_F(LogindTest, takes_the_lock_as_soon_as_there_is_a_bus) {
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  EXPECT_EQ(other.held(), 1);
}

TEST_F(LogindTest, hears_the_machines_end_announced_and_called_off) {
  begin();
  ASSERT_TRUE(until([&] { return state().connected; }));
  other.announce(true);
  ASSERT_TRUE(until([&] { return state().shutting_down; }));
  other.announce(false);
  ASSERT_TRUE(until([&] { return !state().shutting_down; }));
}

TEST_F(LogindTest, finds_an_end_that_was_announced_before) {
  other.preparing = 1;
  other.refuses = true;
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return state().shutting_down && refused(); }));
  EXPECT_TRUE(state().connected);
  EXPECT_FALSE(state().delayed());
  EXPECT_EQ(state().error, "");
  EXPECT_EQ(state().lock.refusal,
            "systemd-logind gives no inhibitor lock: The operation is already running");
  other.refuses = false;
  other.announce(false);
  ASSERT_TRUE(until([&] { return !state().shutting_down; }));
  logind->delay();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  EXPECT_EQ(state().lock.refusal, "");
}

TEST_F(LogindTest, remembers_that_a_lock_was_refused_whatever_else_it_asks) {
  other.refuses = true;
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return refused(); }));
  const DelayLock lock = state().lock;
  other.longest_delay = 90'000'000;
  tasks.spawn("ask", logind->ask(5s));
  ASSERT_TRUE(until([&] { return state().longest_delay == 90s; }));
  EXPECT_TRUE(state().connected);
  EXPECT_EQ(state().lock, lock);
  logind->let_go();
  EXPECT_EQ(state().lock, DelayLock{}) << "it is not wanted any more";
}

TEST_F(LogindTest, asks_again_for_a_lock_that_was_refused) {
  other.refuses = true;
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return refused(); }));
  EXPECT_EQ(other.asked.size(), 1U) << "and not at once";
  other.refuses = false;
  ASSERT_TRUE(until([&] { return state().delayed(); })) << "a second later";
  EXPECT_EQ(other.asked.size(), 2U);
  EXPECT_EQ(other.held(), 1);
}

TEST_F(LogindTest, keeps_an_earlier_lock_beside_a_refusal_and_goes_on_asking) {
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  other.refuses = true;
  other.starts_again();
  ASSERT_TRUE(until([&] { return refused(); }));
  EXPECT_EQ(other.held(), 1);
  other.refuses = false;
  ASSERT_TRUE(until([&] { return state().delayed() && other.held() == 1; }));
  EXPECT_EQ(other.asked.size(), 3U);
}

TEST_F(LogindTest, asks_the_bus_for_this_service_alone) {
  begin();
  ASSERT_TRUE(until([&] { return state().connected; }));
  ASSERT_EQ(other.matches.size(), 2U);
  EXPECT_NE(other.matches[0].find("member='PrepareForShutdown'"), std::string::npos);
  EXPECT_NE(other.matches[1].find("member='NameOwnerChanged',arg0='org.freedesktop.login1'"),
            std::string::npos)
      << "or every client that comes or goes wakes berthd";
}

TEST_F(LogindTest, waits_for_a_service_that_does_not_answer) {
  other.is_missing = true;
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return refused() && !state().error.empty(); }));
  EXPECT_EQ(state().error, "systemd-logind does not answer: there is no such service");
  EXPECT_FALSE(state().connected);
  tasks.spawn("ask", logind->ask(1h));
  ASSERT_EQ(tasks.size(), 2U);
  ASSERT_TRUE(until([&] { return tasks.size() == 1U; })) << "who asks is not kept waiting";
  other.is_missing = false;
  other.starts_again();
  ASSERT_TRUE(until([&] { return state().connected && state().delayed(); }));
  EXPECT_EQ(state().error, "");
  EXPECT_EQ(other.connections, 1) << "the bus is the same";
}

TEST_F(LogindTest, keeps_its_lock_over_a_lost_bus_and_changes_it_for_a_new_one) {
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  other.hang_up();
  ASSERT_TRUE(until([&] { return !state().connected; }));
  EXPECT_FALSE(state().error.empty());
  EXPECT_EQ(other.held(), 1);
  ASSERT_TRUE(until([&] { return other.asked.size() == 2; })) << "a second later";
  ASSERT_TRUE(until([&] { return state().connected && other.held() == 1; }));
  EXPECT_EQ(state().error, "");
}

TEST_F(LogindTest, asks_anew_when_systemd_logind_was_started_again) {
  logind->delay();
  begin();
  ASSERT_TRUE(until([&] { return state().delayed(); }));
  other.longest_delay = 60'000'000;
  other.starts_again();
  ASSERT_TRUE(until([&] { return state().longest_delay == 60s && other.asked.size() == 2; }));
  ASSERT_TRUE(until([&] { return other.held() == 1; }));
}

TEST_F(LogindTest, learns_of_a_longer_delay_when_it_asks) {
  begin();
  ASSERT_TRUE(until([&] { return state().connected; }));
  other.longest_delay = 90'000'000;
  tasks.spawn("ask", logind->ask(5s));
  ASSERT_TRUE(until([&] { return state().longest_delay == 90s; }));
}

TEST_F(LogindTest, says_why_there_is_nobody_and_goes_on_trying) {
  there = false;
  begin();
  ASSERT_TRUE(until([&] { return !state().error.empty(); }));
  EXPECT_EQ(state().error, "there is no bus");
  there = true;
  ASSERT_TRUE(until([&] { return state().connected; }));
  EXPECT_EQ(state().error, "");
}

}  // namespace
}  // namespace berth::systemd
