// SPDX-License-Identifier: Apache-2.0

// Pod: spec and status (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/container.hpp"
#include "api/container_status.hpp"
#include "api/handlers.hpp"
#include "api/meta.hpp"
#include "api/references.hpp"
#include "api/resources.hpp"
#include "api/security.hpp"
#include "api/time.hpp"
#include "api/volume.hpp"

namespace berth::api {

struct HostAlias {
  std::string ip{};
  std::vector<std::string> hostnames{};

  bool operator==(const HostAlias&) const = default;
};

struct PodDNSConfigOption {
  std::string name{};
  std::optional<std::string> value{};

  bool operator==(const PodDNSConfigOption&) const = default;
};

struct PodDNSConfig {
  std::vector<std::string> nameservers{};
  std::vector<std::string> searches{};
  std::vector<PodDNSConfigOption> options{};

  bool operator==(const PodDNSConfig&) const = default;
};

struct PodReadinessGate {
  std::string conditionType{};

  bool operator==(const PodReadinessGate&) const = default;
};

struct PodOS {
  std::string name{};

  bool operator==(const PodOS&) const = default;
};

struct PodSchedulingGate {
  std::string name{};

  bool operator==(const PodSchedulingGate&) const = default;
};

struct PodResourceClaim {
  std::string name{};
  std::optional<std::string> resourceClaimName{};
  std::optional<std::string> resourceClaimTemplateName{};

  bool operator==(const PodResourceClaim&) const = default;
};

struct PodSpec {
  std::vector<Volume> volumes{};
  std::vector<Container> initContainers{};
  std::vector<Container> containers{};
  std::vector<EphemeralContainer> ephemeralContainers{};
  std::string restartPolicy{};
  std::optional<std::int64_t> terminationGracePeriodSeconds{};
  std::optional<std::int64_t> activeDeadlineSeconds{};
  std::string dnsPolicy{};
  std::map<std::string, std::string> nodeSelector{};
  std::string serviceAccountName{};
  std::string serviceAccount{};
  std::optional<bool> automountServiceAccountToken{};
  std::string nodeName{};
  bool hostNetwork = false;
  bool hostPID = false;
  bool hostIPC = false;
  std::optional<bool> shareProcessNamespace{};
  std::optional<PodSecurityContext> securityContext{};
  std::vector<LocalObjectReference> imagePullSecrets{};
  std::string hostname{};
  std::string subdomain{};
  std::optional<Affinity> affinity{};
  std::string schedulerName{};
  std::vector<Toleration> tolerations{};
  std::vector<HostAlias> hostAliases{};
  std::string priorityClassName{};
  std::optional<std::int32_t> priority{};
  std::optional<PodDNSConfig> dnsConfig{};
  std::vector<PodReadinessGate> readinessGates{};
  std::optional<std::string> runtimeClassName{};
  std::optional<bool> enableServiceLinks{};
  std::optional<std::string> preemptionPolicy{};
  ResourceList overhead{};
  std::vector<TopologySpreadConstraint> topologySpreadConstraints{};
  std::optional<bool> setHostnameAsFQDN{};
  std::optional<PodOS> os{};
  std::optional<bool> hostUsers{};
  std::vector<PodSchedulingGate> schedulingGates{};
  std::vector<PodResourceClaim> resourceClaims{};
  std::optional<ResourceRequirements> resources{};
  std::optional<std::string> hostnameOverride{};

  bool operator==(const PodSpec&) const = default;
};

struct PodCondition {
  std::string type{};
  std::int64_t observedGeneration = 0;
  std::string status{};
  std::optional<Time> lastProbeTime{};
  std::optional<Time> lastTransitionTime{};
  std::string reason{};
  std::string message{};

  bool operator==(const PodCondition&) const = default;
};

struct HostIP {
  std::string ip{};

  bool operator==(const HostIP&) const = default;
};

struct PodIP {
  std::string ip{};

  bool operator==(const PodIP&) const = default;
};

struct PodResourceClaimStatus {
  std::string name{};
  std::optional<std::string> resourceClaimName{};

  bool operator==(const PodResourceClaimStatus&) const = default;
};

struct ContainerExtendedResourceRequest {
  std::string containerName{};
  std::string resourceName{};
  std::string requestName{};

  bool operator==(const ContainerExtendedResourceRequest&) const = default;
};

struct PodExtendedResourceClaimStatus {
  std::vector<ContainerExtendedResourceRequest> requestMappings{};
  std::string resourceClaimName{};

  bool operator==(const PodExtendedResourceClaimStatus&) const = default;
};

struct PodStatus {
  std::int64_t observedGeneration = 0;
  std::string phase{};
  std::vector<PodCondition> conditions{};
  std::string message{};
  std::string reason{};
  std::string nominatedNodeName{};
  std::string hostIP{};
  std::vector<HostIP> hostIPs{};
  std::string podIP{};
  std::vector<PodIP> podIPs{};
  std::optional<Time> startTime{};
  std::vector<ContainerStatus> initContainerStatuses{};
  std::vector<ContainerStatus> containerStatuses{};
  std::string qosClass{};
  std::vector<ContainerStatus> ephemeralContainerStatuses{};
  std::string resize{};
  std::vector<PodResourceClaimStatus> resourceClaimStatuses{};
  std::optional<PodExtendedResourceClaimStatus> extendedResourceClaimStatus{};

  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  PodSpec spec{};
  PodStatus status{};

  bool operator==(const Pod&) const = default;
};

}  // namespace berth::api
