// SPDX-License-Identifier: Apache-2.0

// Service, limited to what environment variables are made from (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/int_or_string.hpp"
#include "api/meta.hpp"

namespace berth::api {

struct ServicePort {
  std::string name{};
  std::string protocol{};
  std::optional<std::string> appProtocol{};
  std::int32_t port = 0;
  IntOrString targetPort{};
  std::int32_t nodePort = 0;

  bool operator==(const ServicePort&) const = default;
};

struct ClientIPConfig {
  std::optional<std::int32_t> timeoutSeconds{};

  bool operator==(const ClientIPConfig&) const = default;
};

struct SessionAffinityConfig {
  std::optional<ClientIPConfig> clientIP{};

  bool operator==(const SessionAffinityConfig&) const = default;
};

struct ServiceSpec {
  std::vector<ServicePort> ports{};
  std::map<std::string, std::string> selector{};
  std::string clusterIP{};
  std::vector<std::string> clusterIPs{};
  std::string type{};
  std::vector<std::string> externalIPs{};
  std::string sessionAffinity{};
  std::string loadBalancerIP{};
  std::vector<std::string> loadBalancerSourceRanges{};
  std::string externalName{};
  std::string externalTrafficPolicy{};
  std::int32_t healthCheckNodePort = 0;
  bool publishNotReadyAddresses = false;
  std::optional<SessionAffinityConfig> sessionAffinityConfig{};
  std::vector<std::string> ipFamilies{};
  std::optional<std::string> ipFamilyPolicy{};
  std::optional<bool> allocateLoadBalancerNodePorts{};
  std::optional<std::string> loadBalancerClass{};
  std::optional<std::string> internalTrafficPolicy{};
  std::optional<std::string> trafficDistribution{};

  bool operator==(const ServiceSpec&) const = default;
};

struct PortStatus {
  std::int32_t port = 0;
  std::string protocol{};
  std::optional<std::string> error{};

  bool operator==(const PortStatus&) const = default;
};

struct LoadBalancerIngress {
  std::string ip{};
  std::string hostname{};
  std::optional<std::string> ipMode{};
  std::vector<PortStatus> ports{};

  bool operator==(const LoadBalancerIngress&) const = default;
};

struct LoadBalancerStatus {
  std::vector<LoadBalancerIngress> ingress{};

  bool operator==(const LoadBalancerStatus&) const = default;
};

struct ServiceStatus {
  LoadBalancerStatus loadBalancer{};
  std::vector<Condition> conditions{};

  bool operator==(const ServiceStatus&) const = default;
};

struct Service {
  std::string kind{};
  std::string apiVersion{};
  ObjectMeta metadata{};
  ServiceSpec spec{};
  ServiceStatus status{};

  bool operator==(const Service&) const = default;
};

}  // namespace berth::api
