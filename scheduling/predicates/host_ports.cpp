// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/host_ports.hpp"

#include <algorithm>

#include "api/pod_resources.hpp"

namespace berth::scheduling {
namespace {

constexpr const char* kAnyAddress = "0.0.0.0";

void add_ports(std::vector<HostPort>& ports, const api::Container& container) {
  for (const auto& port : container.ports) {
    if (port.hostPort <= 0) continue;
    ports.push_back({.ip = port.hostIP.empty() ? kAnyAddress : port.hostIP,
                     .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                     .port = port.hostPort});
  }
}

}  // namespace

std::vector<HostPort> host_ports(const api::Pod& pod) {
  std::vector<HostPort> ports;
  for (const auto& container : pod.spec.containers) add_ports(ports, container);
  for (const auto& container : pod.spec.initContainers) {
    if (api::is_sidecar(container)) add_ports(ports, container);
  }
  return ports;
}

bool conflict(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kAnyAddress || b.ip == kAnyAddress);
}

const HostPort* first_conflict(const std::vector<HostPort>& wanted,
                               const std::vector<HostPort>& used) {
  for (const HostPort& port : wanted) {
    const bool taken = std::any_of(used.begin(), used.end(),
                                   [&](const HostPort& other) { return conflict(port, other); });
    if (taken) return &port;
  }
  return nullptr;
}

}  // namespace berth::scheduling
