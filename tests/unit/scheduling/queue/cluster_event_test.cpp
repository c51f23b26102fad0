// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/cluster_event.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "tests/unit/scheduling/queue/queue_test_support.hpp"

namespace berth::scheduling {
namespace {

using Labels = std::vector<std::string>;

Labels labels(const std::vector<ClusterEvent>& events) {
  Labels out;
  for (const ClusterEvent& event : events) out.push_back(label_of(event));
  return out;
}

TEST(ClusterEvent, node_update_is_cut_into_the_changes_that_matter) {
  struct Case {
    std::function<void(api::Node&)> change;
    Labels events;
  };
  const Case cases[] = {
      {[](api::Node&) {}, {}},
      {[](api::Node& node) { node.spec.unschedulable = false; }, {"NodeUpdateNodeTaint"}},
      {[](api::Node& node) { node.metadata.labels["zone"] = "a"; }, {"NodeUpdateNodeLabel"}},
      {[](api::Node& node) { node.metadata.annotations["x"] = "y"; }, {"NodeUpdateNodeAnnotation"}},
      {[](api::Node& node) { node.status.allocatable["cpu"] = api::Quantity::from_int(9); },
       {"NodeUpdateNodeAllocatable"}},
      {[](api::Node& node) { node.spec.taints.push_back({.key = "k", .effect = "NoSchedule"}); },
       {"NodeUpdateNodeTaint"}},
      {[](api::Node& node) { node.status.conditions[0].status = "False"; },
       {"NodeUpdateNodeCondition"}},
      {[](api::Node& node) { node.status.conditions[0].lastHeartbeatTime = api::Time{at(5)}; }, {}},
      {[](api::Node& node) {
         node.metadata.labels["zone"] = "a";
         node.status.allocatable.erase("cpu");
       },
       {"NodeUpdateNodeAllocatable", "NodeUpdateNodeLabel"}},
  };
  for (const Case& c : cases) {
    api::Node before = node_named("n1");
    before.spec.unschedulable = true;
    before.status.conditions = {{.type = "Ready", .status = "True"}};
    api::Node after = before;
    c.change(after);
    EXPECT_EQ(labels(node_updated(shared(before), shared(after))), c.events);
  }
  api::Node open = node_named("n1");
  api::Node closed = open;
  closed.spec.unschedulable = true;
  EXPECT_TRUE(node_updated(shared(open), shared(closed)).empty());
}

TEST(ClusterEvent, pod_update_is_never_nothing) {
  struct Case {
    std::function<void(api::Pod&)> change;
    Labels events;
  };
  const Case cases[] = {
      {[](api::Pod&) {}, {"UnscheduledPodUpdate"}},
      {[](api::Pod& pod) { pod.metadata.labels["a"] = "b"; }, {"UnscheduledPodUpdatePodLabel"}},
      {[](api::Pod& pod) { pod.spec.schedulingGates.clear(); },
       {"UnscheduledPodUpdatePodSchedulingGatesEliminated"}},
      {[](api::Pod& pod) { pod.spec.tolerations.push_back({.key = "k"}); },
       {"UnscheduledPodUpdatePodToleration"}},
      {[](api::Pod& pod) {
         pod.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_milli(99);
       },
       {"UnscheduledPodUpdatePodScaleDown"}},
      {[](api::Pod& pod) {
         pod.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_milli(101);
       },
       {"UnscheduledPodUpdate"}},
      {[](api::Pod& pod) { pod.spec.containers[0].resources.requests.clear(); },
       {"UnscheduledPodUpdatePodScaleDown"}},
      {[](api::Pod& pod) {
         pod.spec.nodeName = "n1";
         pod.metadata.labels["a"] = "b";
       },
       {"AssignedPodUpdatePodLabel"}},
  };
  for (const Case& c : cases) {
    api::Pod before = waiting_pod("a");
    before.spec.schedulingGates = {{.name = "g"}};
    before.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_milli(100);
    api::Pod after = before;
    c.change(after);
    EXPECT_EQ(labels(pod_updated(shared(before), shared(after))), c.events);
  }
}

TEST(ClusterEvent, conditions_of_a_node_change_by_their_status_alone) {
  const auto changes = [](std::vector<api::NodeCondition> to) {
    api::Node before = node_named("n");
    before.status.conditions = {{.type = "Ready", .status = "True", .reason = "KubeletReady"},
                                {.type = "DiskPressure", .status = "False"}};
    api::Node after = before;
    after.status.conditions = std::move(to);
    return !node_updated(shared(before), shared(after)).empty();
  };
  EXPECT_FALSE(changes({{.type = "DiskPressure", .status = "False", .message = "m"},
                        {.type = "Ready", .status = "True", .reason = "Other"}}));
  EXPECT_TRUE(changes({{.type = "Ready", .status = "False", .reason = "KubeletReady"},
                       {.type = "DiskPressure", .status = "False"}}));
  EXPECT_TRUE(changes({{.type = "Ready", .status = "True", .reason = "KubeletReady"}}));
}

TEST(ClusterEvent, labels_are_kubernetes_words) {
  EXPECT_EQ(label_of(node_added(shared(node_named("n")))), "NodeAdd");
  EXPECT_EQ(label_of(node_deleted(shared(node_named("n")))), "NodeDelete");
  EXPECT_EQ(label_of(assigned_pod_added(shared(placed_pod("a")))), "AssignedPodAdd");
  EXPECT_EQ(label_of(assigned_pod_deleted(shared(placed_pod("a")))), "AssignedPodDelete");
  EXPECT_EQ(label_of(unschedulable_timeout()), "UnschedulableTimeout");
}

}  // namespace
}  // namespace berth::scheduling
