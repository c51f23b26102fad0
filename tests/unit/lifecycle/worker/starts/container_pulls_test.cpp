// SPDX-License-Identifier: Apache-2.0

// The pulls of a pod's images: which containers they are for, and what failed pulls cost.
#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "lifecycle/worker/starts/container_starts.hpp"

namespace berth::lifecycle {
namespace {

using namespace std::chrono_literals;

const WallTime kNow{24h};
const Error kDown{.code = ErrorCode::kUnavailable, .message = "RegistryUnavailable: down"};

class ContainerPulls : public ::testing::Test {
 protected:
  void fail_pull(const char* name, const char* image = "busybox", WallTime at = kNow) {
    starts.begin_pull(name, image);
    EXPECT_TRUE(starts.pull_ended(name, fail(kDown), at));
  }
  [[nodiscard]] ImagePullBackoff stored() const {
    PodMemory memory;
    starts.put_into(memory);
    return memory.pulls;
  }
  [[nodiscard]] Nanoseconds window() const {
    return starts.pull_backoff().entries.at({"u1", "busybox"}).window;
  }

  ContainerStarts starts{"u1"};
};

TEST_F(ContainerPulls, one_is_under_way_until_it_ends_and_is_handed_over_once) {
  EXPECT_EQ(starts.pull("app"), nullptr);
  starts.begin_pull("app", "busybox");
  EXPECT_TRUE(starts.is_pulling("busybox"));
  EXPECT_FALSE(starts.is_pulling("other"));
  EXPECT_TRUE(starts.pull_ended("app", PulledImage{.image_ref = "sha256:1"}, kNow));
  EXPECT_FALSE(starts.is_pulling("busybox"));
  ASSERT_NE(starts.pull("app"), nullptr);
  EXPECT_EQ((*starts.finish_pull("app").outcome)->image_ref, "sha256:1");
  EXPECT_EQ(starts.pull("app"), nullptr);
  EXPECT_TRUE(starts.pull_backoff().entries.empty());
}

TEST_F(ContainerPulls, nobody_waits_for_one_whose_image_an_edit_has_replaced) {
  starts.begin_pull("app", "busybox");
  starts.forget_pull("app");
  EXPECT_FALSE(starts.pull_ended("app", PulledImage{}, kNow));
  EXPECT_EQ(starts.pull("app"), nullptr);
}

TEST_F(ContainerPulls, a_failure_counts_when_it_is_handed_over_and_is_stored_before_that) {
  fail_pull("app");
  EXPECT_TRUE(starts.pull_backoff().entries.empty());
  EXPECT_EQ(stored().entries.at({"u1", "busybox"}).reason, "RegistryUnavailable");
  EXPECT_FALSE(*starts.finish_pull("app").outcome);
  EXPECT_TRUE(starts.in_pull_backoff("busybox", kNow + 5s));
  EXPECT_EQ(stored(), starts.pull_backoff());
}

TEST_F(ContainerPulls, a_failure_outlives_berthd) {
  starts.count_pull_failure("busybox", kDown, kNow);
  ContainerStarts next("u1");
  next.recall({.pulls = stored()}, {});
  EXPECT_TRUE(next.in_pull_backoff("busybox", kNow));
}

TEST_F(ContainerPulls, a_failure_counts_once) {
  fail_pull("app");
  starts.count_failed_pulls("busybox");
  EXPECT_EQ(window(), 10s);
  static_cast<void>(starts.finish_pull("app"));
  EXPECT_EQ(window(), 10s);
  EXPECT_EQ(stored(), starts.pull_backoff());
}

TEST_F(ContainerPulls, failures_of_other_containers_count_before_the_image_is_pulled_again) {
  fail_pull("app");
  fail_pull("other", "another");
  starts.count_failed_pulls("busybox");
  EXPECT_TRUE(starts.in_pull_backoff("busybox", kNow));
  EXPECT_FALSE(starts.in_pull_backoff("another", kNow));
}

TEST_F(ContainerPulls, an_old_failure_is_forgotten) {
  starts.count_pull_failure("busybox", kDown, kNow);
  starts.forget_old_failures({}, kNow + 600s);
  EXPECT_EQ(starts.pull_backoff().entries.size(), 1U);
  starts.forget_old_failures({}, kNow + 601s);
  EXPECT_TRUE(starts.pull_backoff().entries.empty());
}

TEST_F(ContainerPulls, what_is_known_to_be_present_can_go) {
  starts.image_present("busybox");
  EXPECT_TRUE(starts.present_images().contains("busybox"));
  starts.image_absent("busybox");
  EXPECT_TRUE(starts.present_images().empty());
}

TEST(PullFailure, is_shown_by_the_kind_that_some_runtimes_put_first) {
  EXPECT_EQ(classify_pull_failure("i", "not found").reason, "ErrImagePull");
  EXPECT_EQ(classify_pull_failure("i", "not found").message, "not found");
  const PullFailure registry = classify_pull_failure("i", "RegistryUnavailable: down");
  EXPECT_EQ(registry.reason, "RegistryUnavailable");
  EXPECT_EQ(registry.message, "image pull failed for i because the registry is unavailable: down");
  EXPECT_EQ(classify_pull_failure("i", "SignatureValidationFailed").message,
            "image pull failed for i because the signature validation failed");
}

}  // namespace
}  // namespace berth::lifecycle
