// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/backoff.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduling/queue/queue_test_support.hpp"

namespace berth::scheduling {
namespace {

using std::chrono::seconds;

TEST(Backoff, doubles_up_to_the_longest) {
  struct Case {
    BackoffPolicy policy;
    std::vector<int> durations;  // after 0, 1, 2 ... failures
  };
  const Case cases[] = {
      {{}, {0, 1, 2, 4, 8, 10, 10}},
      {{.initial = seconds(3), .longest = seconds(7)}, {0, 3, 6, 7, 7}},
      {{.initial = seconds(5), .longest = seconds(5)}, {0, 5, 5}},
      {{.initial = seconds(8), .longest = seconds(2)}, {0, 2, 2}},
      {{.initial = seconds(1), .longest = seconds(0)}, {0, 0, 0}},
  };
  for (const Case& c : cases) {
    for (std::size_t failures = 0; failures < c.durations.size(); ++failures) {
      EXPECT_EQ(backoff_duration(c.policy, static_cast<int>(failures)).count(),
                c.durations[failures])
          << failures;
    }
  }
  EXPECT_EQ(backoff_duration({.initial = seconds(1), .longest = seconds(1LL << 40)}, 1000).count(),
            1LL << 40);
}

TEST(Backoff, lasts_through_the_second_in_which_it_ends) {
  const WallTime expiry = backoff_expiry(at(0.7), seconds(1));
  EXPECT_EQ(expiry, at(1));
  EXPECT_TRUE(is_backing_off(expiry, at(0.9)));
  EXPECT_TRUE(is_backing_off(expiry, at(1.999)));
  EXPECT_FALSE(is_backing_off(expiry, at(2)));
}

}  // namespace
}  // namespace berth::scheduling
