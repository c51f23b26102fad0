// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/handlers.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/handlers.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(ExecAction, (), (command))
BOOST_DESCRIBE_STRUCT(HTTPHeader, (), (name, value))
constexpr auto printed_when_empty(const HTTPHeader*) {
  return std::to_array<std::string_view>({"name", "value"});
}
BOOST_DESCRIBE_STRUCT(HTTPGetAction, (), (path, port, host, scheme, httpHeaders))
constexpr auto printed_when_empty(const HTTPGetAction*) {
  return std::to_array<std::string_view>({"port"});
}
BOOST_DESCRIBE_STRUCT(TCPSocketAction, (), (port, host))
constexpr auto printed_when_empty(const TCPSocketAction*) {
  return std::to_array<std::string_view>({"port"});
}
BOOST_DESCRIBE_STRUCT(GRPCAction, (), (port, service))
constexpr auto printed_when_empty(const GRPCAction*) {
  return std::to_array<std::string_view>({"port", "service"});
}
BOOST_DESCRIBE_STRUCT(SleepAction, (), (seconds))
constexpr auto printed_when_empty(const SleepAction*) {
  return std::to_array<std::string_view>({"seconds"});
}
BOOST_DESCRIBE_STRUCT(Probe, (),
                      (exec, httpGet, tcpSocket, grpc, initialDelaySeconds, timeoutSeconds,
                       periodSeconds, successThreshold, failureThreshold,
                       terminationGracePeriodSeconds))
BOOST_DESCRIBE_STRUCT(LifecycleHandler, (), (exec, httpGet, tcpSocket, sleep))
BOOST_DESCRIBE_STRUCT(Lifecycle, (), (postStart, preStop, stopSignal))

}  // namespace berth::api
