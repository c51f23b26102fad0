// SPDX-License-Identifier: Apache-2.0

// Pods and nodes for tests of the scheduling queue.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "scheduling/queue/cluster_event.hpp"

namespace berth::scheduling {

inline const api::WallTime kStart{std::chrono::hours(500'000)};

inline api::WallTime at(double seconds) {
  return kStart + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

inline api::Pod waiting_pod(const std::string& name, std::int32_t priority = 0) {
  api::Pod pod;
  pod.metadata = {.name = name, .namespace_ = "shop", .uid = "uid-" + name};
  pod.spec.priority = priority;
  pod.spec.schedulerName = "default-scheduler";
  pod.spec.containers.push_back({.name = "c"});
  return pod;
}

inline api::Pod placed_pod(const std::string& name) {
  api::Pod pod = waiting_pod(name);
  pod.spec.nodeName = "n1";
  return pod;
}

inline api::Node node_named(const std::string& name) {
  api::Node node;
  node.metadata.name = name;
  node.status.allocatable = {{"cpu", *api::Quantity::parse("2")},
                             {"memory", *api::Quantity::parse("4Gi")},
                             {"pods", *api::Quantity::parse("10")}};
  return node;
}

inline PodPtr shared(api::Pod pod) {
  return std::make_shared<const api::Pod>(std::move(pod));
}
inline NodePtr shared(api::Node node) {
  return std::make_shared<const api::Node>(std::move(node));
}

}  // namespace berth::scheduling
