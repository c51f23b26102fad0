// SPDX-License-Identifier: Apache-2.0

#include "base/assertion.hpp"

#include <gtest/gtest.h>

#include "base/notification.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth {
namespace {

TEST(AssertionDeathTest, a_broken_one_ends_the_process_and_says_what_and_where) {
  assert_that(true, "never said");
  EXPECT_DEATH(assert_that(false, "water runs downhill"),
               "<2>berth: broken assertion: water runs downhill \\(.*assertion_test.cpp:[0-9]+, ");
}

TEST(AssertionDeathTest, a_broken_one_names_what_it_is_about) {
  EXPECT_DEATH(assert_that(false, "a uid has one record", "u1"),
               "broken assertion: a uid has one record: u1 \\(");
}

// The second waiter would replace the first, which would then never wake.
TEST(AssertionDeathTest, a_second_waiter_of_a_notification_breaks_one) {
  const auto wait_twice = [] {
    boost::asio::io_context loop{1};
    TaskGroup tasks{loop.get_executor(), [](std::string_view, std::exception_ptr) {}};
    Notification bell{loop.get_executor()};
    tasks.spawn("first", bell.wait());
    tasks.spawn("second", bell.wait());
    loop.run();
  };
  EXPECT_DEATH(wait_twice(), "one waiter at a time");
}

}  // namespace
}  // namespace berth
