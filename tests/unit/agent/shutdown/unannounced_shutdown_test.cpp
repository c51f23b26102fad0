// SPDX-License-Identifier: Apache-2.0

// A shutdown that begins because systemd stops berthd: nobody announced it, or the machine no
// longer waits for the announced one.
#include "agent/shutdown/node_shutdown.hpp"

#include "tests/unit/agent/shutdown/node_shutdown_fixture.hpp"

namespace berth::agent {
namespace {

TEST_F(NodeShutdownTest, is_carried_out_without_an_announcement_in_the_same_order) {
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  const std::string dns = uid("dns");
  spawn_and_drain(carry_out());
  EXPECT_TRUE(shutdown->shutting_down());
  EXPECT_TRUE(not_ready);
  clock.advance(1900ms);
  EXPECT_FALSE(asked_to_stop(dns.c_str())) << "after the others";
  EXPECT_FALSE(carried_out);
  clock.advance(3s);
  EXPECT_TRUE(carried_out);
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(shows("web"), "Failed Terminated");
  EXPECT_EQ(shows("dns"), "Failed Terminated");
  begin_again(true, {slow("web", 0), slow("dns", kCritical)});
  clock.advance(3s);
  EXPECT_EQ(shows("web"), "Running");
  EXPECT_EQ(shows("dns"), "Running");
}

TEST_F(NodeShutdownTest, goes_on_where_the_announced_one_was_when_the_machine_waits_no_longer) {
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  announce();
  clock.advance(3s);
  spawn_and_drain(carry_out());
  EXPECT_FALSE(carried_out) << "the critical one is being stopped";
  clock.advance(2s);
  EXPECT_TRUE(carried_out);
  EXPECT_EQ(live(), 0);
}

TEST_F(NodeShutdownTest, has_nothing_to_carry_out_twice_nor_without_a_period) {
  desire({slow("web", 0)});
  clock.advance(1s);
  announce();
  clock.advance(5s);
  spawn_and_drain(carry_out());
  EXPECT_TRUE(carried_out);
  end_shutdown();
  groups.clear();
  begin_shutdown();
  carried_out = false;
  spawn_and_drain(carry_out());
  EXPECT_TRUE(carried_out);
}

TEST_F(NodeShutdownTest, is_not_called_off_by_a_login_manager_that_knows_nothing_of_it) {
  desire({slow("web", 0), slow("dns", kCritical)});
  clock.advance(1s);
  spawn_and_drain(carry_out());
  clock.advance(100ms);
  login.answers(30s);
  drain();
  EXPECT_TRUE(shutdown->shutting_down());
  clock.advance(5s);
  EXPECT_TRUE(carried_out);
  EXPECT_EQ(live(), 0);
}

}  // namespace
}  // namespace berth::agent
