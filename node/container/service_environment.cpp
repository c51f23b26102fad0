// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cctype>
#include <map>

#include "node/container/environment.hpp"

namespace berth::node {
namespace {

constexpr const char* kMasterNamespace = "default";
constexpr const char* kMasterService = "kubernetes";

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string variable_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return upper(std::move(name));
}

bool has_address(const api::Service& service) {
  return !service.spec.clusterIP.empty() && service.spec.clusterIP != "None";
}

std::string host_port(const std::string& ip, std::int32_t port) {
  const bool v6 = ip.find(':') != std::string::npos;
  return (v6 ? "[" + ip + "]" : ip) + ":" + std::to_string(port);
}

// The variables of Docker's former container links.
void add_link_variables(Variables& variables, const std::string& prefix,
                        const api::Service& service) {
  bool is_first = true;
  for (const auto& port : service.spec.ports) {
    const std::string protocol = port.protocol.empty() ? "TCP" : port.protocol;
    const std::string number = std::to_string(port.port);
    const std::string url = lower(protocol) + "://" + host_port(service.spec.clusterIP, port.port);
    if (is_first) variables[prefix + "_PORT"] = url;
    is_first = false;
    const std::string name = prefix + "_PORT_" + number + "_" + upper(protocol);
    variables[name] = url;
    variables[name + "_PROTO"] = lower(protocol);
    variables[name + "_PORT"] = number;
    variables[name + "_ADDR"] = service.spec.clusterIP;
  }
}

void add_service(Variables& variables, const api::Service& service) {
  const std::string prefix = variable_name(service.metadata.name);
  variables[prefix + "_SERVICE_HOST"] = service.spec.clusterIP;
  variables[prefix + "_SERVICE_PORT"] = std::to_string(service.spec.ports.front().port);
  for (const auto& port : service.spec.ports) {
    if (port.name.empty()) continue;
    variables[prefix + "_SERVICE_PORT_" + variable_name(port.name)] = std::to_string(port.port);
  }
  add_link_variables(variables, prefix, service);
}

}  // namespace

Variables service_environment(const std::vector<api::Service>& services,
                              const std::string& pod_namespace, bool enable_service_links) {
  // By name: a service in the pod's namespace takes precedence over the API server's service of the
  // same name.
  std::map<std::string, const api::Service*> visible;
  for (const auto& service : services) {
    if (!has_address(service)) continue;
    const auto& meta = service.metadata;
    if (meta.namespace_ == kMasterNamespace && meta.name == kMasterService) {
      visible.emplace(meta.name, &service);
    } else if (enable_service_links && meta.namespace_ == pod_namespace) {
      visible[meta.name] = &service;
    }
  }
  Variables variables;
  for (const auto& [name, service] : visible) {
    if (!service->spec.ports.empty()) add_service(variables, *service);
  }
  return variables;
}

}  // namespace berth::node
