#include "node/host_ports.hpp"

#include <algorithm>
#include <string>

namespace berth::node {
namespace {

struct HostPort {
  std::string ip{};
  std::string protocol{};
  std::int32_t port = 0;
};

constexpr const char* kAnyAddress = "0.0.0.0";

void add_ports(std::vector<HostPort>& ports, const api::Container& container) {
  for (const auto& port : container.ports) {
    if (port.hostPort <= 0) continue;
    ports.push_back({.ip = port.hostIP.empty() ? kAnyAddress : port.hostIP,
                     .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                     .port = port.hostPort});
  }
}

std::vector<HostPort> host_ports(const api::Pod& pod) {
  std::vector<HostPort> ports;
  for (const auto& container : pod.spec.containers) add_ports(ports, container);
  for (const auto& container : pod.spec.initContainers) {
    if (container.restartPolicy == "Always") add_ports(ports, container);
  }
  return ports;
}

bool conflict(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kAnyAddress || b.ip == kAnyAddress);
}

}  // namespace

bool host_ports_conflict(const api::Pod& pod, const std::vector<const api::Pod*>& active) {
  const auto wanted = host_ports(pod);
  if (wanted.empty()) return false;
  for (const api::Pod* other : active) {
    const auto used = host_ports(*other);
    for (const auto& port : wanted) {
      if (std::any_of(used.begin(), used.end(),
                      [&](const HostPort& taken) { return conflict(port, taken); })) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace berth::node
