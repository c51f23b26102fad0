// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/runtime/unclaimed_pods.hpp"

#include <gtest/gtest.h>

namespace berth::lifecycle {
namespace {

ListedPod with_sandbox(const char* id) {
  ListedPod listed;
  listed.sandboxes.push_back({.id = cri::SandboxId{id}});
  return listed;
}

TEST(UnclaimedPods, what_is_there_of_a_pod_is_claimed_once) {
  UnclaimedPods pods;
  pods.keep("u1", with_sandbox("a"));
  EXPECT_TRUE(pods.contains("u1"));
  EXPECT_FALSE(pods.claim("u2"));
  const auto claimed = pods.claim("u1");
  ASSERT_TRUE(claimed);
  EXPECT_EQ(claimed->sandboxes.at(0).id.str(), "a");
  EXPECT_FALSE(pods.contains("u1"));
  EXPECT_FALSE(pods.claim("u1"));
}

TEST(UnclaimedPods, what_is_kept_later_replaces_what_was_kept_before) {
  UnclaimedPods pods;
  pods.keep("u1", with_sandbox("a"));
  pods.keep("u1", with_sandbox("b"));
  EXPECT_EQ(pods.claim("u1")->sandboxes.at(0).id.str(), "b");
  pods.keep("u2", with_sandbox("c"));
  pods.set({{"u3", with_sandbox("d")}});
  EXPECT_FALSE(pods.contains("u2"));
  EXPECT_EQ(pods.all().size(), 1U);
}

}  // namespace
}  // namespace berth::lifecycle
