// SPDX-License-Identifier: Apache-2.0

// Ports of containers, and conflicts over host ports.
#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

void check_ports(FieldErrors& errors, const FieldPath& path,
                 const std::vector<ContainerPort>& ports) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const ContainerPort& port = ports[i];
    const FieldPath at = path / i;
    if (!port.name.empty()) {
      const grammar::Details details = grammar::port_name(port.name);
      add_invalid(errors, at / "name", quoted(port.name), details);
      if (details.empty() && !names.insert(port.name).second) {
        errors.push_back(duplicate(at / "name", quoted(port.name)));
      }
    }
    if (port.containerPort == 0) {
      errors.push_back(required(at / "containerPort"));
    } else {
      add_invalid(errors, at / "containerPort", number(port.containerPort),
                  grammar::port_number(port.containerPort));
    }
    if (port.hostPort != 0) {
      add_invalid(errors, at / "hostPort", number(port.hostPort),
                  grammar::port_number(port.hostPort));
    }
    if (port.protocol.empty()) {
      errors.push_back(required(at / "protocol"));
    } else {
      check_one_of(errors, at / "protocol", port.protocol, {"SCTP", "TCP", "UDP"});
    }
  }
}

void check_host_port_conflicts(FieldErrors& errors, const FieldPath& path,
                               const std::vector<ContainerPort>& ports,
                               std::set<std::string>& taken) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].hostPort == 0) continue;
    const std::string port =
        ports[i].protocol + "/" + ports[i].hostIP + "/" + std::to_string(ports[i].hostPort);
    if (!taken.insert(port).second) {
      errors.push_back(duplicate(path / i / "hostPort", quoted(port)));
    }
  }
}

void check_host_network_ports(FieldErrors& errors, const FieldPath& path, const PodSpec& spec) {
  if (!spec.hostNetwork) return;
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    const std::vector<ContainerPort>& ports = spec.containers[i].ports;
    for (std::size_t k = 0; k < ports.size(); ++k) {
      if (ports[k].hostPort == 0 || ports[k].hostPort == ports[k].containerPort) continue;
      errors.push_back(invalid(path / i / "ports" / k / "hostPort", number(ports[k].hostPort),
                               "must match `containerPort` when `hostNetwork` is true"));
    }
  }
}

}  // namespace berth::api
