// SPDX-License-Identifier: Apache-2.0

// The story of the node.
#include "lifecycle/ledger/why_node.hpp"

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

api::NodeCondition condition(const std::string& type, const std::string& status,
                             const std::string& message) {
  return {
      .type = type, .status = status, .lastTransitionTime = api::Time{at(5)}, .message = message};
}

Why story(const api::Node& node, const node::ImageGcPolicy& images = {}) {
  return why_node({.records = {},
                   .node = node,
                   .now = at(60),
                   .images = images,
                   .image_period = std::chrono::minutes(5)});
}

TEST(WhyNode, begins_with_the_conditions_that_are_not_as_they_should_be) {
  api::Node node;
  EXPECT_EQ(story(node).present, "Whether the node is ready is not known yet.");
  node.status.conditions = {condition("MemoryPressure", "True", "kubelet has insufficient memory"),
                            condition("DiskPressure", "False", "kubelet has no disk pressure"),
                            condition("Ready", "True", "kubelet is posting ready status")};
  EXPECT_EQ(story(node).present,
            "The node is ready since 22:13:25. MemoryPressure since 22:13:25: kubelet has "
            "insufficient memory.");
  node.status.conditions = {condition("Ready", "False", "container runtime is down")};
  EXPECT_EQ(story(node).present,
            "The node is not ready since 22:13:25: container runtime is down.");
}

TEST(WhyNode, ends_with_when_images_go) {
  const api::Node node;
  const auto coming = [&](const node::ImageGcPolicy& images) {
    return story(node, images).coming.at(0);
  };
  EXPECT_EQ(coming({}),
            "berthd looks for unused images every 5 min, and removes them once their file "
            "system is 85 % full, until it is 80 % full.");
  EXPECT_EQ(coming({.max_age = std::chrono::hours(24)}),
            "berthd looks for unused images every 5 min, and removes them once their file "
            "system is 85 % full, until it is 80 % full, or when they have been unused for 1 d.");
  EXPECT_EQ(
      coming({.high_percent = 100, .max_age = std::chrono::hours(24)}),
      "berthd looks for unused images every 5 min, and removes them when they have been unused "
      "for 1 d.");
  EXPECT_EQ(
      coming({.high_percent = 100}),
      "Unused images are removed only under disk pressure (imageGCHighThresholdPercent 100).");
}

}  // namespace
}  // namespace berth::lifecycle::test
