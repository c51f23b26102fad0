// SPDX-License-Identifier: Apache-2.0

// What is remembered about an eviction.
#include "lifecycle/pods/ending/past_eviction.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

TEST(PastEviction, is_known_whatever_was_ordered_since) {
  const Ending eviction = evicted("m", 1s, {});
  EXPECT_EQ(eviction_in(eviction), eviction);
  EXPECT_EQ(eviction_in(merge(eviction, collected({}))), eviction) << "it keeps the pod, as before";
  EXPECT_TRUE(eviction_in(merge(evicted_for_storage("m", {}), deleted(std::nullopt, {}))));
}

TEST(PastEviction, is_none_where_something_else_ended_the_pod) {
  const Ending eviction = evicted("m", 1s, {});
  EXPECT_FALSE(eviction_in(merge(eviction, preempted({})))) << "the later one counts";
  EXPECT_FALSE(eviction_in(merge(active_deadline({}), eviction)));
  EXPECT_FALSE(eviction_in(collected({})));
  Ending finished = eviction;
  finished.failure.reset();
  EXPECT_FALSE(eviction_in(finished)) << "it had finished before the order";
}

}  // namespace
}  // namespace berth::lifecycle
