// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/control_callers.hpp"

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

class ControlCallersTest : public testing::Test {
 protected:
  // A caller connects a second after the previous one; `name` identifies its peer as well.
  void come(uid_t user, const std::string& name) {
    clock.advance(1s);
    here[name] = callers.connected(user, name, [this, name] { closed.push_back(name); });
  }

  boost::asio::io_context loop{1};
  VirtualClock clock{loop, WallTime{1'000'000s}};
  std::vector<std::string> closed{};
  ControlCallers callers{clock,
                         {.connections = 4, .connections_of_user = 3, .unread_bytes_of_user = 100}};
  std::map<std::string, std::unique_ptr<ControlCallers::Connection>> here{};
};

TEST_F(ControlCallersTest, a_user_with_all_that_one_may_have_loses_the_one_idle_for_the_longest) {
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_TRUE(callers.make_room(1, false));
    come(1, name);
  }
  { const auto call = callers.begun("a"); }
  clock.advance(1s);
  EXPECT_TRUE(callers.make_room(1, false));
  EXPECT_EQ(closed, std::vector<std::string>{"b"}) << "a had a call since";
}

TEST_F(ControlCallersTest, one_that_has_a_call_stays_and_another_of_its_user_is_refused) {
  std::vector<std::unique_ptr<ControlCallers::Call>> calls;
  for (const char* name : {"a", "b", "c"}) {
    come(1, name);
    calls.push_back(callers.begun(name));
  }
  EXPECT_FALSE(callers.make_room(1, false));
  EXPECT_TRUE(callers.make_room(2, false)) << "another user is not kept out";
  calls.pop_back();
  EXPECT_TRUE(callers.make_room(1, false));
  EXPECT_EQ(closed, std::vector<std::string>{"c"});
}

TEST_F(ControlCallersTest, when_all_places_are_taken_the_idlest_of_all_goes) {
  for (const char* name : {"a", "b", "c"}) come(1, name);
  come(2, "d");
  EXPECT_TRUE(callers.make_room(2, false));
  EXPECT_EQ(closed, std::vector<std::string>{"a"});
  here.erase("a");
  EXPECT_TRUE(callers.make_room(2, false));
  EXPECT_EQ(closed.size(), 1U) << "its place is free";
}

TEST_F(ControlCallersTest, when_descriptors_are_short_one_goes_for_each_that_comes) {
  EXPECT_FALSE(callers.make_room(1, true)) << "nobody can go";
  come(1, "a");
  EXPECT_TRUE(callers.make_room(1, true));
  EXPECT_FALSE(callers.make_room(1, true)) << "the only one goes already";
  EXPECT_EQ(closed, std::vector<std::string>{"a"});
}

TEST_F(ControlCallersTest, a_call_is_its_connection_s_user_s_though_it_has_gone) {
  come(1, "fd:7");
  const auto call = callers.begun("fd:7");
  ASSERT_TRUE(call);
  here.clear();
  EXPECT_EQ(call->user(), 1U);
  EXPECT_FALSE(callers.begun("fd:7"));
}

TEST_F(ControlCallersTest, of_two_with_one_number_the_later_one_makes_the_calls) {
  const auto first = callers.connected(1, "fd:7", [] {});
  const auto second = callers.connected(2, "fd:7", [] {});
  const auto call = callers.begun("fd:7");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->user(), 2U);
}

TEST_F(ControlCallersTest, answers_that_a_user_does_not_read_are_bounded_over_all_connections) {
  for (const char* name : {"a", "b"}) come(1, name);
  come(2, "c");
  auto first = callers.begun("a");
  EXPECT_TRUE(first->may_answer(60));
  const auto second = callers.begun("b");
  EXPECT_FALSE(second->may_answer(60));
  EXPECT_TRUE(second->may_answer(40));
  EXPECT_TRUE(callers.begun("c")->may_answer(100)) << "another user is not kept out";
  first.reset();
  EXPECT_TRUE(callers.begun("a")->may_answer(60)) << "the first was read";
}

TEST_F(ControlCallersTest, one_answer_may_be_as_large_as_it_is) {
  come(1, "a");
  EXPECT_TRUE(callers.begun("a")->may_answer(1000));
}

TEST_F(ControlCallersTest, all_that_are_idle_can_be_closed) {
  for (const char* name : {"a", "b", "c"}) come(1, name);
  const auto call = callers.begun("b");
  callers.close_idle();
  EXPECT_EQ(closed, (std::vector<std::string>{"a", "c"}));
}

}  // namespace
}  // namespace berth::agent
