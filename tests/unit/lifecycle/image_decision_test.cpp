// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/image_decision.hpp"

#include <gtest/gtest.h>

#include "tests/unit/lifecycle/pod_builder.hpp"

namespace berth::lifecycle::test {
namespace {

TEST(ImageDecision, the_policy_says_whether_to_pull) {
  EXPECT_EQ(decide_pull("Always", true), PullDecision::kPull);
  EXPECT_EQ(decide_pull("Always", false), PullDecision::kPull);
  EXPECT_EQ(decide_pull("IfNotPresent", true), PullDecision::kUsePresent);
  EXPECT_EQ(decide_pull("IfNotPresent", false), PullDecision::kPull);
  EXPECT_EQ(decide_pull("Never", true), PullDecision::kUsePresent);
  EXPECT_EQ(decide_pull("Never", false), PullDecision::kRefuse);
}

TEST(ImageDecision, it_says_why) {
  const api::Pod of = pod({container("app")});
  const auto why = [&of](std::string policy, bool present) {
    const ImageQuestion question{.pod = of,
                                 .container = "app",
                                 .image = "app:1",
                                 .policy = std::move(policy),
                                 .present = present};
    return image_reason(question, decide_image(question)).text;
  };
  EXPECT_EQ(why("IfNotPresent", true), "its image app:1 is present (imagePullPolicy IfNotPresent)");
  EXPECT_EQ(why("IfNotPresent", false),
            "its image app:1 is pulled: it is not present, imagePullPolicy IfNotPresent");
  EXPECT_EQ(why("Always", false), "its image app:1 is pulled: imagePullPolicy Always");
  EXPECT_EQ(why("Never", false),
            "Container image \"app:1\" is not present with pull policy of Never");
}

}  // namespace
}  // namespace berth::lifecycle::test
