// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/service.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/service.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ServicePort, (), (name, protocol, appProtocol, port, targetPort, nodePort))
constexpr auto printed_when_empty(const ServicePort*) {
  return std::to_array<std::string_view>({"port"});
}
BOOST_DESCRIBE_STRUCT(ClientIPConfig, (), (timeoutSeconds))
BOOST_DESCRIBE_STRUCT(SessionAffinityConfig, (), (clientIP))
BOOST_DESCRIBE_STRUCT(ServiceSpec, (),
                      (ports, selector, clusterIP, clusterIPs, type, externalIPs, sessionAffinity,
                       loadBalancerIP, loadBalancerSourceRanges, externalName,
                       externalTrafficPolicy, healthCheckNodePort, publishNotReadyAddresses,
                       sessionAffinityConfig, ipFamilies, ipFamilyPolicy,
                       allocateLoadBalancerNodePorts, loadBalancerClass, internalTrafficPolicy,
                       trafficDistribution))
BOOST_DESCRIBE_STRUCT(PortStatus, (), (port, protocol, error))
constexpr auto printed_when_empty(const PortStatus*) {
  return std::to_array<std::string_view>({"port", "protocol"});
}
BOOST_DESCRIBE_STRUCT(LoadBalancerIngress, (), (ip, hostname, ipMode, ports))
BOOST_DESCRIBE_STRUCT(LoadBalancerStatus, (), (ingress))
BOOST_DESCRIBE_STRUCT(ServiceStatus, (), (loadBalancer, conditions))
BOOST_DESCRIBE_STRUCT(Service, (), (kind, apiVersion, metadata, spec, status))

}  // namespace berth::api
