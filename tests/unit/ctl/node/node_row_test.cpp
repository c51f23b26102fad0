// SPDX-License-Identifier: Apache-2.0

#include "ctl/node/node_row.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

TEST(NodeRow, has_kubectls_columns_first) {
  EXPECT_EQ(node_header(true),
            (Row{"NAME", "STATUS", "ROLES", "AGE", "VERSION", "INTERNAL-IP", "EXTERNAL-IP",
                 "OS-IMAGE", "KERNEL-VERSION", "CONTAINER-RUNTIME", "PRESSURE"}));
  api::Node node;
  node.metadata.name = "n1";
  node.status.conditions = {{.type = "Ready", .status = "True"}};
  node.status.addresses = {{.type = "InternalIP", .address = "10.0.0.1"}};
  node.status.nodeInfo.kubeletVersion = "v1.34.0";
  EXPECT_EQ(node_row(node, true, WallTime{}),
            (Row{"n1", "Ready", "<none>", "<unknown>", "v1.34.0", "10.0.0.1", "<none>", "<unknown>",
                 "<unknown>", "<unknown>", "None"}));
}

TEST(NodeRow, names_the_pressure_it_is_under_in_the_last_column) {
  api::Node node;
  node.status.conditions = {{.type = "MemoryPressure", .status = "True"},
                            {.type = "DiskPressure", .status = "Unknown"},
                            {.type = "PIDPressure", .status = "True"},
                            {.type = "Ready", .status = "True"}};
  for (const bool wide : {false, true}) {
    EXPECT_EQ(node_header(wide).back(), "PRESSURE");
    EXPECT_EQ(node_row(node, wide, WallTime{}).back(), "MemoryPressure,PIDPressure");
    EXPECT_EQ(node_row(node, wide, WallTime{}).size(), node_header(wide).size());
  }
}

TEST(NodeRow, shows_readiness_scheduling_and_roles) {
  api::Node node;
  EXPECT_EQ(node_row(node, false, WallTime{}).at(1), "Unknown");
  node.status.conditions = {{.type = "Ready", .status = "False"}};
  node.spec.unschedulable = true;
  node.metadata.labels = {{"node-role.kubernetes.io/edge", ""},
                          {"kubernetes.io/role", "appliance"},
                          {"node-role.kubernetes.io/", "x"}};
  const Row row = node_row(node, false, WallTime{});
  EXPECT_EQ(row.at(1), "NotReady,SchedulingDisabled");
  EXPECT_EQ(row.at(2), "appliance,edge");
}

}  // namespace
}  // namespace berth::ctl
