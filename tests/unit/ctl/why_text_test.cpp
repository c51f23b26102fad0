// SPDX-License-Identifier: Apache-2.0

#include "ctl/why_text.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

constexpr WallTime kNow{std::chrono::seconds{1'700'000'000}};  // 2023-11-14T22:13:20Z

TEST(WhyText, present_first_then_the_past_then_what_comes) {
  const WhyStory story{.namespace_ = "default",
                       .name = "web-node1",
                       .present = "The pod is Running and ready.",
                       .happened = {{"2023-11-13T03:12:07Z", "container app is started"},
                                    {"2023-11-14T22:13:10Z", "container app ended"}},
                       .coming = {"Next start of container app: 22:13:30, in 10 s."}};
  EXPECT_EQ(why_text(story, kNow),
            "Pod default/web-node1\n"
            "The pod is Running and ready.\n"
            "\n"
            "What happened (times in UTC):\n"
            "  2023-11-13 03:12:07  container app is started\n"
            "  22:13:10             container app ended\n"
            "\n"
            "What comes next:\n"
            "  Next start of container app: 22:13:30, in 10 s.\n");
}

TEST(WhyText, a_pod_without_records_says_so) {
  const WhyStory story{.namespace_ = "default", .name = "web", .present = "The pod is Pending."};
  EXPECT_NE(why_text(story, kNow).find("  Nothing was recorded.\n"), std::string::npos);
}

TEST(WhyText, the_nodes_story_is_headed_by_the_node) {
  const WhyStory story{.name = "node1", .present = "The node is ready."};
  EXPECT_TRUE(why_text(story, kNow).starts_with("Node node1\nThe node is ready.\n"));
}

}  // namespace
}  // namespace berth::ctl
