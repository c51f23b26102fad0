// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/pod.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/pod.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(HostAlias, (), (ip, hostnames))
constexpr auto printed_when_empty(const HostAlias*) {
  return std::to_array<std::string_view>({"ip"});
}
BOOST_DESCRIBE_STRUCT(PodDNSConfigOption, (), (name, value))
BOOST_DESCRIBE_STRUCT(PodDNSConfig, (), (nameservers, searches, options))
BOOST_DESCRIBE_STRUCT(PodReadinessGate, (), (conditionType))
constexpr auto printed_when_empty(const PodReadinessGate*) {
  return std::to_array<std::string_view>({"conditionType"});
}
BOOST_DESCRIBE_STRUCT(PodOS, (), (name))
constexpr auto printed_when_empty(const PodOS*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(PodSchedulingGate, (), (name))
constexpr auto printed_when_empty(const PodSchedulingGate*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(PodResourceClaim, (), (name, resourceClaimName, resourceClaimTemplateName))
constexpr auto printed_when_empty(const PodResourceClaim*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(PodSpec, (),
                      (volumes, initContainers, containers, ephemeralContainers, restartPolicy,
                       terminationGracePeriodSeconds, activeDeadlineSeconds, dnsPolicy,
                       nodeSelector, serviceAccountName, serviceAccount,
                       automountServiceAccountToken, nodeName, hostNetwork, hostPID, hostIPC,
                       shareProcessNamespace, securityContext, imagePullSecrets, hostname,
                       subdomain, affinity, schedulerName, tolerations, hostAliases,
                       priorityClassName, priority, dnsConfig, readinessGates, runtimeClassName,
                       enableServiceLinks, preemptionPolicy, overhead, topologySpreadConstraints,
                       setHostnameAsFQDN, os, hostUsers, schedulingGates, resourceClaims, resources,
                       hostnameOverride))
constexpr auto printed_when_empty(const PodSpec*) {
  return std::to_array<std::string_view>({"containers"});
}
BOOST_DESCRIBE_STRUCT(PodCondition, (),
                      (type, observedGeneration, status, lastProbeTime, lastTransitionTime, reason,
                       message))
constexpr auto printed_when_empty(const PodCondition*) {
  return std::to_array<std::string_view>({"type", "status", "lastProbeTime", "lastTransitionTime"});
}
BOOST_DESCRIBE_STRUCT(HostIP, (), (ip))
constexpr auto printed_when_empty(const HostIP*) {
  return std::to_array<std::string_view>({"ip"});
}
BOOST_DESCRIBE_STRUCT(PodIP, (), (ip))
constexpr auto printed_when_empty(const PodIP*) {
  return std::to_array<std::string_view>({"ip"});
}
BOOST_DESCRIBE_STRUCT(PodResourceClaimStatus, (), (name, resourceClaimName))
constexpr auto printed_when_empty(const PodResourceClaimStatus*) {
  return std::to_array<std::string_view>({"name"});
}
BOOST_DESCRIBE_STRUCT(ContainerExtendedResourceRequest, (),
                      (containerName, resourceName, requestName))
constexpr auto printed_when_empty(const ContainerExtendedResourceRequest*) {
  return std::to_array<std::string_view>({"containerName", "resourceName", "requestName"});
}
BOOST_DESCRIBE_STRUCT(PodExtendedResourceClaimStatus, (), (requestMappings, resourceClaimName))
constexpr auto printed_when_empty(const PodExtendedResourceClaimStatus*) {
  return std::to_array<std::string_view>({"requestMappings", "resourceClaimName"});
}
BOOST_DESCRIBE_STRUCT(PodStatus, (),
                      (observedGeneration, phase, conditions, message, reason, nominatedNodeName,
                       hostIP, hostIPs, podIP, podIPs, startTime, initContainerStatuses,
                       containerStatuses, qosClass, ephemeralContainerStatuses, resize,
                       resourceClaimStatuses, extendedResourceClaimStatus))
BOOST_DESCRIBE_STRUCT(Pod, (), (kind, apiVersion, metadata, spec, status))

}  // namespace berth::api
