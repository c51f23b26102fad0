// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/found_images.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

TEST(FoundImages, one_is_kept_for_the_retries_of_a_start) {
  FoundImages images;
  const SteadyTime now{};
  images.keep("app", "busybox", {.reference = "sha256:1"}, now);
  EXPECT_EQ(images.kept("app", "busybox", now + 1h).standing, KeptStanding::kGood);
  EXPECT_EQ(images.kept("app", "busybox", now).found.reference, "sha256:1");
  EXPECT_EQ(images.kept("app", "other", now).standing, KeptStanding::kNone);
  EXPECT_EQ(images.kept("other", "busybox", now).standing, KeptStanding::kNone);
  images.created("app");
  EXPECT_EQ(images.kept("app", "busybox", now).standing, KeptStanding::kNone);
}

TEST(FoundImages, after_a_create_that_failed_it_is_doubted_and_looked_for_ever_more_seldom) {
  FoundImages images;
  SteadyTime now{};
  for (const auto window : {10s, 20s, 40s, 80s, 160s, 300s, 300s}) {
    images.keep("app", "busybox", {}, now);
    images.create_failed("app");
    EXPECT_EQ(images.kept("app", "busybox", now + window - 1ns).standing, KeptStanding::kDoubted);
    now += window;
    EXPECT_EQ(images.kept("app", "busybox", now).standing, KeptStanding::kNone);
  }
  images.created("app");
  images.keep("app", "busybox", {}, now);
  images.create_failed("app");
  EXPECT_EQ(images.kept("app", "busybox", now + 10s).standing, KeptStanding::kNone);
}

TEST(FoundImages, what_was_seen_ahead_is_not_believed_after_a_create_that_failed) {
  FoundImages images;
  images.see("busybox", {.reference = "sha256:1"});
  EXPECT_TRUE(images.seen("busybox"));
  images.create_failed("app");
  EXPECT_FALSE(images.seen("busybox"));
}

}  // namespace
}  // namespace berth::lifecycle
