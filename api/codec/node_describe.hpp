// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/node.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/node.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ConfigMapNodeConfigSource, (),
                      (namespace_, name, uid, resourceVersion, kubeletConfigKey))
constexpr auto printed_when_empty(const ConfigMapNodeConfigSource*) {
  return std::to_array<std::string_view>({"namespace", "name", "kubeletConfigKey"});
}
BOOST_DESCRIBE_STRUCT(NodeConfigSource, (), (configMap))
BOOST_DESCRIBE_STRUCT(NodeSpec, (),
                      (podCIDR, podCIDRs, providerID, unschedulable, taints, configSource,
                       externalID))
BOOST_DESCRIBE_STRUCT(NodeCondition, (),
                      (type, status, lastHeartbeatTime, lastTransitionTime, reason, message))
constexpr auto printed_when_empty(const NodeCondition*) {
  return std::to_array<std::string_view>(
      {"type", "status", "lastHeartbeatTime", "lastTransitionTime"});
}
BOOST_DESCRIBE_STRUCT(NodeAddress, (), (type, address))
constexpr auto printed_when_empty(const NodeAddress*) {
  return std::to_array<std::string_view>({"type", "address"});
}
BOOST_DESCRIBE_STRUCT(DaemonEndpoint, (), (Port))
constexpr auto printed_when_empty(const DaemonEndpoint*) {
  return std::to_array<std::string_view>({"Port"});
}
BOOST_DESCRIBE_STRUCT(NodeDaemonEndpoints, (), (kubeletEndpoint))
BOOST_DESCRIBE_STRUCT(NodeSwapStatus, (), (capacity))
BOOST_DESCRIBE_STRUCT(NodeSystemInfo, (),
                      (machineID, systemUUID, bootID, kernelVersion, osImage,
                       containerRuntimeVersion, kubeletVersion, kubeProxyVersion, operatingSystem,
                       architecture, swap))
constexpr auto printed_when_empty(const NodeSystemInfo*) {
  return std::to_array<std::string_view>({"machineID", "systemUUID", "bootID", "kernelVersion",
                                          "osImage", "containerRuntimeVersion", "kubeletVersion",
                                          "kubeProxyVersion", "operatingSystem", "architecture"});
}
BOOST_DESCRIBE_STRUCT(ContainerImage, (), (names, sizeBytes))
constexpr auto printed_when_empty(const ContainerImage*) {
  return std::to_array<std::string_view>({"names"});
}
BOOST_DESCRIBE_STRUCT(AttachedVolume, (), (name, devicePath))
constexpr auto printed_when_empty(const AttachedVolume*) {
  return std::to_array<std::string_view>({"name", "devicePath"});
}
BOOST_DESCRIBE_STRUCT(NodeConfigStatus, (), (assigned, active, lastKnownGood, error))
BOOST_DESCRIBE_STRUCT(NodeRuntimeHandlerFeatures, (), (recursiveReadOnlyMounts, userNamespaces))
BOOST_DESCRIBE_STRUCT(NodeRuntimeHandler, (), (name, features))
constexpr auto printed_when_empty(const NodeRuntimeHandler*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(NodeFeatures, (), (supplementalGroupsPolicy))
BOOST_DESCRIBE_STRUCT(NodeStatus, (),
                      (capacity, allocatable, phase, conditions, addresses, daemonEndpoints,
                       nodeInfo, images, volumesInUse, volumesAttached, config, runtimeHandlers,
                       features))
BOOST_DESCRIBE_STRUCT(Node, (), (kind, apiVersion, metadata, spec, status))

}  // namespace berth::api
