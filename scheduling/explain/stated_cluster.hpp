// The objects that a scheduling decision is explained over, as they were read, and the cluster that
// they make.
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

// Fills an empty cluster with everything but the pod of the name `but` ("namespace/name"), which is
// the one that is to be placed. Pods that have ended are no part of it; a pod without a node is one
// only if it is nominated to a node. Pods that name a class and have no priority get the class's.
void fill_cluster(Cluster& cluster, const StatedCluster& objects, const std::string& but);

}  // namespace berth::scheduling
