// SPDX-License-Identifier: Apache-2.0

// The objects over which a scheduling decision is explained, as read, and the cluster made from
// them.
//
// Plain values. Pods and nodes are kept in the order in which they were read, which is the order in
// which the scheduler would have seen them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/namespace.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "api/priority_class.hpp"
#include "api/service.hpp"
#include "scheduling/cluster/cluster.hpp"

namespace berth::scheduling {

struct StatedCluster {
  std::vector<api::Node> nodes{};
  std::vector<api::Pod> pods{};
  std::vector<api::Namespace> namespaces{};
  std::vector<api::Service> services{};
  std::vector<Controller> controllers{};
  std::vector<api::PriorityClass> priority_classes{};
  std::vector<api::PodDisruptionBudget> budgets{};
};

// Fills an empty cluster with everything except the pod named `but` ("namespace/name"), the one to
// be placed. Pods that have ended are omitted; a pod without a node is included only if it is
// nominated to one. A pod with a class but no priority gets the priority of its class.
void fill_cluster(Cluster& cluster, const StatedCluster& objects, const std::string& but);

}  // namespace berth::scheduling
