// SPDX-License-Identifier: Apache-2.0

// Small clusters for tests of the scheduling core.
#pragma once

#include <string>
#include <vector>

#include "api/node.hpp"
#include "api/pod.hpp"
#include "scheduling/cycle/scheduler.hpp"

namespace berth::scheduling {

inline api::Quantity quantity(const char* text) {
  return *api::Quantity::parse(text);
}

// 4 cores, 8 GiB, 110 pods; its host name is its name.
inline api::Node a_node(const std::string& name, const std::string& zone = "z1") {
  api::Node node;
  node.metadata.name = name;
  node.metadata.labels = {{"kubernetes.io/hostname", name}, {"topology.kubernetes.io/zone", zone}};
  node.status.allocatable = {
      {"cpu", quantity("4")}, {"memory", quantity("8Gi")}, {"pods", quantity("110")}};
  return node;
}

inline api::Pod a_pod(const std::string& name, const char* cpu = "1", std::int32_t priority = 0) {
  api::Pod pod;
  pod.metadata.name = name;
  pod.metadata.namespace_ = "default";
  pod.metadata.uid = name;
  pod.metadata.labels = {{"app", "web"}};
  pod.spec.priority = priority;
  pod.spec.containers = {{.name = "c", .image = "i"}};
  pod.spec.containers[0].resources.requests = {{"cpu", quantity(cpu)}, {"memory", quantity("1Gi")}};
  return pod;
}

inline void place(Cluster& cluster, const api::Pod& pod, const std::string& node) {
  cluster.add_pod(cluster.compile(pod).info, node);
}

inline std::vector<std::string> names_of(const Cluster& cluster,
                                         const std::vector<NodeIndex>& nodes) {
  std::vector<std::string> names;
  for (const NodeIndex node : nodes) names.push_back(cluster.node(node).name);
  return names;
}

}  // namespace berth::scheduling
