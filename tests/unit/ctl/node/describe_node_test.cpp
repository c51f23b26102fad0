// SPDX-License-Identifier: Apache-2.0

#include "ctl/node/describe_node.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

api::Quantity quantity(const char* text) {
  return *api::Quantity::parse(text);
}

api::Node edge_node() {
  api::Node node;
  node.metadata.name = "edge1";
  node.metadata.labels = {{"kubernetes.io/hostname", "edge1"},
                          {"node-role.kubernetes.io/edge", ""}};
  node.metadata.annotations = {{"example.com/rack", "7"}};
  node.metadata.creationTimestamp = api::Time::from_unix_seconds(0);
  node.spec.taints = {{.key = "node.kubernetes.io/memory-pressure", .effect = "NoSchedule"},
                      {.key = "dedicated", .value = "edge", .effect = "NoExecute"}};
  node.status.conditions = {{.type = "MemoryPressure",
                             .status = "True",
                             .lastHeartbeatTime = api::Time::from_unix_seconds(60),
                             .lastTransitionTime = api::Time::from_unix_seconds(30),
                             .reason = "KubeletHasInsufficientMemory",
                             .message = "kubelet has insufficient memory available"}};
  node.status.addresses = {{.type = "InternalIP", .address = "10.0.0.1"},
                           {.type = "Hostname", .address = "edge1"}};
  node.status.capacity = {{"cpu", quantity("4")}, {"memory", quantity("8Gi")}};
  node.status.allocatable = {{"cpu", quantity("2")},
                             {"memory", quantity("4Gi")},
                             {"hugepages-2Mi", quantity("0")},
                             {"pods", quantity("110")}};
  node.status.nodeInfo.kernelVersion = "6.1.0";
  node.status.nodeInfo.containerRuntimeVersion = "containerd://1.7.24";
  return node;
}

api::Pod pod(const char* namespace_, const char* name, const char* phase, const char* cpu) {
  api::Pod pod;
  pod.metadata.namespace_ = namespace_;
  pod.metadata.name = name;
  pod.metadata.creationTimestamp = api::Time::from_unix_seconds(40);
  pod.status.phase = phase;
  api::Container container{.name = "c"};
  container.resources.requests = {{"cpu", quantity(cpu)}, {"memory", quantity("1Gi")}};
  container.resources.limits = {{"memory", quantity("3Gi")}};
  pod.spec.containers = {container};
  return pod;
}

NodeStory edge_story() {
  NodeStory story{.node = edge_node()};
  story.pods = {pod("shop", "till", "Running", "500m"), pod("default", "web", "Pending", "290m"),
                pod("default", "job", "Succeeded", "1"), pod("default", "old", "Failed", "1")};
  story.pressure = {{"Signal", "Value"}, {"------", "-----"}, {"memory.available", "50Mi"}};
  return story;
}

// Expects the lines of `section` in the text, exactly as given.
void expect_section(const std::string& text, const std::string& section) {
  EXPECT_NE(text.find("\n" + section), std::string::npos) << section << "is missing in\n" << text;
}

TEST(DescribeNode, keeps_kubectls_sections_in_kubectls_order_and_ends_with_pressure) {
  const std::string text = describe_node(edge_story(), WallTime{100s});
  ASSERT_TRUE(text.starts_with("Name:")) << text;
  std::size_t at = 0;
  for (const char* section :
       {"Roles:", "Labels:", "Annotations:", "CreationTimestamp:", "Taints:", "Unschedulable:",
        "Conditions:", "Addresses:", "Capacity:", "Allocatable:", "System Info:",
        "Non-terminated Pods:", "Allocated resources:", "Events:", "Pressure:"}) {
    const std::size_t found = text.find(std::string("\n") + section, at);
    ASSERT_NE(found, std::string::npos) << section << " is missing or out of order in\n" << text;
    at = found;
  }
}

TEST(DescribeNode, shows_what_it_is_and_keeps_off) {
  const std::string text = describe_node(edge_story(), WallTime{100s});
  EXPECT_TRUE(
      text.starts_with("Name:               edge1\n"
                       "Roles:              edge\n"
                       "Labels:             kubernetes.io/hostname=edge1\n"
                       "                    node-role.kubernetes.io/edge=\n"
                       "Annotations:        example.com/rack: 7\n"
                       "CreationTimestamp:  Thu, 01 Jan 1970 00:00:00 +0000\n"
                       "Taints:             node.kubernetes.io/memory-pressure:NoSchedule\n"
                       "                    dedicated=edge:NoExecute\n"
                       "Unschedulable:      false\n"))
      << text;
}

TEST(DescribeNode, shows_since_when_a_condition_is_what_it_is) {
  expect_section(describe_node(edge_story(), WallTime{100s}),
                 "Conditions:\n"
                 "  Type             Status   LastHeartbeatTime                 "
                 "LastTransitionTime                Reason                         Message\n"
                 "  ----             ------   -----------------                 "
                 "------------------                ------                         -------\n"
                 "  MemoryPressure   True     Thu, 01 Jan 1970 00:01:00 +0000   "
                 "Thu, 01 Jan 1970 00:00:30 +0000   KubeletHasInsufficientMemory   "
                 "kubelet has insufficient memory available\n");
}

TEST(DescribeNode, weighs_pods_that_have_not_ended_against_what_is_allocatable) {
  const std::string text = describe_node(edge_story(), WallTime{100s});
  expect_section(
      text,
      "Non-terminated Pods:  (2 in total)\n"
      "  Namespace   Name   CPU Requests   CPU Limits   Memory Requests   Memory Limits   Age\n"
      "  ---------   ----   ------------   ----------   ---------------   -------------   ---\n"
      "  default     web    290m (14%)     0 (0%)       1Gi (25%)         3Gi (75%)       60s\n"
      "  shop        till   500m (25%)     0 (0%)       1Gi (25%)         3Gi (75%)       60s\n");
  expect_section(text,
                 "Allocated resources:\n"
                 "  (Total limits may be over 100 percent, i.e., overcommitted.)\n"
                 "  Resource            Requests     Limits\n"
                 "  --------            --------     ------\n"
                 "  cpu                 790m (39%)   0 (0%)\n"
                 "  memory              2Gi (50%)    6Gi (150%)\n"
                 "  ephemeral-storage   0 (0%)       0 (0%)\n"
                 "  hugepages-2Mi       0 (0%)       0 (0%)\n");
}

TEST(DescribeNode, weighs_against_the_capacity_of_a_node_without_allocatable) {
  NodeStory story = edge_story();
  story.node.status.allocatable.clear();
  expect_section(describe_node(story, WallTime{100s}), "  cpu                 790m (19%)");
}

TEST(DescribeNode, shows_signals_against_thresholds_or_why_it_cannot) {
  NodeStory story = edge_story();
  expect_section(describe_node(story, WallTime{100s}),
                 "Pressure:\n"
                 "  Signal             Value\n"
                 "  ------             -----\n"
                 "  memory.available   50Mi\n");
  story.pressure.clear();
  expect_section(describe_node(story, WallTime{100s}), "Pressure:  <none>\n");
  story.pressure_unknown = "berthd does not know yet";
  expect_section(describe_node(story, WallTime{100s}),
                 "Pressure:  <unknown>: berthd does not know yet\n");
}

TEST(DescribeNode, a_bare_node_has_every_section_all_the_same) {
  const std::string text = describe_node({}, WallTime{100s});
  for (const char* line : {"Labels:             <none>\n", "Taints:             <none>\n",
                           "Non-terminated Pods:  (0 in total)\n", "Events:  <none>\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << " is missing in\n" << text;
}

}  // namespace
}  // namespace berth::ctl
