// SPDX-License-Identifier: Apache-2.0

// Node: labels, taints, capacity, conditions (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/meta.hpp"
#include "api/references.hpp"
#include "api/resources.hpp"
#include "api/scalars.hpp"
#include "api/time.hpp"

namespace berth::api {

struct ConfigMapNodeConfigSource {
  std::string namespace_{};
  std::string name{};
  std::string uid{};
  std::string resourceVersion{};
  std::string kubeletConfigKey{};

  bool operator==(const ConfigMapNodeConfigSource&) const = default;
};

struct NodeConfigSource {
  std::optional<ConfigMapNodeConfigSource> configMap{};

  bool operator==(const NodeConfigSource&) const = default;
};

struct NodeSpec {
  std::string podCIDR{};
  std::vector<std::string> podCIDRs{};
  std::string providerID{};
  bool unschedulable = false;
  std::vector<Taint> taints{};
  std::optional<NodeConfigSource> configSource{};
  std::string externalID{};

  bool operator==(const NodeSpec&) const = default;
};

struct NodeCondition {
  std::string type{};
  std::string status{};
  std::optional<Time> lastHeartbeatTime{};
  std::optional<Time> lastTransitionTime{};
  std::string reason{};
  std::string message{};

  bool operator==(const NodeCondition&) const = default;
};

struct NodeAddress {
  std::string type{};
  std::string address{};

  bool operator==(const NodeAddress&) const = default;
};

struct DaemonEndpoint {
  std::int32_t Port = 0;

  bool operator==(const DaemonEndpoint&) const = default;
};

struct NodeDaemonEndpoints {
  DaemonEndpoint kubeletEndpoint{};

  bool operator==(const NodeDaemonEndpoints&) const = default;
};

struct NodeSwapStatus {
  std::optional<std::int64_t> capacity{};

  bool operator==(const NodeSwapStatus&) const = default;
};

struct NodeSystemInfo {
  std::string machineID{};
  std::string systemUUID{};
  std::string bootID{};
  std::string kernelVersion{};
  std::string osImage{};
  std::string containerRuntimeVersion{};
  std::string kubeletVersion{};
  std::string kubeProxyVersion{};
  std::string operatingSystem{};
  std::string architecture{};
  std::optional<NodeSwapStatus> swap{};

  bool operator==(const NodeSystemInfo&) const = default;
};

struct ContainerImage {
  std::vector<std::string> names{};
  std::int64_t sizeBytes = 0;

  bool operator==(const ContainerImage&) const = default;
};

struct AttachedVolume {
  std::string name{};
  std::string devicePath{};

  bool operator==(const AttachedVolume&) const = default;
};

struct NodeConfigStatus {
  std::optional<NodeConfigSource> assigned{};
  std::optional<NodeConfigSource> active{};
  std::optional<NodeConfigSource> lastKnownGood{};
  std::string error{};

  bool operator==(const NodeConfigStatus&) const = default;
};

struct NodeRuntimeHandlerFeatures {
  std::optional<bool> recursiveReadOnlyMounts{};
  std::optional<bool> userNamespaces{};

  bool operator==(const NodeRuntimeHandlerFeatures&) const = default;
};

struct NodeRuntimeHandler {
  std::string name{};
  std::optional<NodeRuntimeHandlerFeatures> features{};

  bool operator==(const NodeRuntimeHandler&) const = default;
};

struct NodeFeatures {
  std::optional<bool> supplementalGroupsPolicy{};

  bool operator==(const NodeFeatures&) const = default;
};

struct NodeStatus {
  ResourceList capacity{};
  ResourceList allocatable{};
  std::string phase{};
  std::vector<NodeCondition> conditions{};
  std::vector<NodeAddress> addresses{};
  NodeDaemonEndpoints daemonEndpoints{};
  NodeSystemInfo nodeInfo{};
  std::vector<ContainerImage> images{};
  std::vector<std::string> volumesInUse{};
  std::vector<AttachedVolume> volumesAttached{};
  std::optional<NodeConfigStatus> config{};
  std::vector<NodeRuntimeHandler> runtimeHandlers{};
  std::optional<NodeFeatures> features{};

  bool operator==(const NodeStatus&) const = default;
};

struct Node {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  NodeSpec spec{};
  NodeStatus status{};

  bool operator==(const Node&) const = default;
};

}  // namespace berth::api
