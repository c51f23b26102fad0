// SPDX-License-Identifier: Apache-2.0

// The pressure conditions that the Node object shows, with and without pressure.
#include "agent/eviction/node_pressure.hpp"

#include <gtest/gtest.h>

namespace berth::agent {
namespace {

using enum eviction::PressureCondition;
const api::Time kThen{api::WallTime(std::chrono::seconds(100))};
const api::Time kNow{api::WallTime(std::chrono::seconds(200))};

api::Node ready_node() {
  api::Node node;
  node.spec.taints = {{.key = "own", .effect = "NoSchedule"}};
  node.status.conditions = {{.type = "Ready", .status = "True"}};
  return node;
}

TEST(NodePressure, stands_before_ready_and_has_its_taint) {
  api::Node node = ready_node();
  const auto events = show_pressure(node, {kMemoryPressure}, {}, kThen);
  ASSERT_EQ(node.status.conditions.size(), 4U);
  EXPECT_EQ(node.status.conditions[0].type, "MemoryPressure");
  EXPECT_EQ(node.status.conditions[0].status, "True");
  EXPECT_EQ(node.status.conditions[1].status, "False");
  EXPECT_EQ(node.status.conditions[3].type, "Ready");
  ASSERT_EQ(node.spec.taints.size(), 2U);
  EXPECT_EQ(node.spec.taints[1].key, "node.kubernetes.io/memory-pressure");
  EXPECT_EQ(events.size(), 3U) << "all three are new";
}

TEST(NodePressure, that_goes_takes_its_taint_along_and_keeps_the_time_of_what_stays) {
  api::Node node = ready_node();
  show_pressure(node, {kMemoryPressure, kDiskPressure}, {}, kThen);
  const auto before = node.status.conditions;
  const auto events = show_pressure(node, {kDiskPressure}, before, kNow);
  EXPECT_EQ(events, std::vector<std::string>{"NodeHasSufficientMemory"});
  ASSERT_EQ(node.status.conditions.size(), 4U);
  EXPECT_EQ(node.status.conditions[0].lastTransitionTime, kNow);
  EXPECT_EQ(node.status.conditions[1].lastTransitionTime, kThen);
  EXPECT_EQ(node.status.conditions[1].lastHeartbeatTime, kNow);
  ASSERT_EQ(node.spec.taints.size(), 2U);
  EXPECT_EQ(node.spec.taints[1].key, "node.kubernetes.io/disk-pressure");
}

TEST(NodePressure, is_nothing_that_pods_are_placed_by) {
  api::Node node = ready_node();
  show_pressure(node, {kPidPressure}, {}, kThen);
  EXPECT_EQ(without_pressure(node), ready_node());
}

}  // namespace
}  // namespace berth::agent
