// SPDX-License-Identifier: Apache-2.0

#include "node/sandbox_config.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "node/cgroups/cgroup_name.hpp"
#include "node/container/container_resources.hpp"
#include "node/container/security_context.hpp"
#include "node/dns.hpp"
#include "node/hostname.hpp"
#include "node/pod_paths.hpp"

namespace berth::node {
namespace {

cri::Protocol protocol(const std::string& name) {
  if (name == "UDP") return cri::Protocol::kUdp;
  if (name == "SCTP") return cri::Protocol::kSctp;
  return cri::Protocol::kTcp;
}

cri::StringMap sysctls(const api::Pod& pod) {
  cri::StringMap map;
  if (!pod.spec.securityContext) return map;
  for (const auto& sysctl : pod.spec.securityContext->sysctls) {
    std::string name = sysctl.name;
    // Both spellings are legal; with '/' as separator a '.' belongs to a component.
    const auto separator = name.find_first_of("./");
    if (separator != std::string::npos && name[separator] == '/') {
      for (char& c : name) c = c == '/' ? '.' : c == '.' ? '/' : c;
    }
    map[name] = sysctl.value;
  }
  return map;
}

}  // namespace

std::vector<cri::PortMapping> port_mappings(const api::Pod& pod) {
  std::vector<cri::PortMapping> mappings;
  std::set<std::tuple<cri::Protocol, std::int32_t, std::int32_t, std::string>> seen;
  for (const auto& container : pod.spec.containers) {
    for (const auto& port : container.ports) {
      cri::PortMapping mapping{.protocol = protocol(port.protocol),
                               .container_port = port.containerPort,
                               .host_port = port.hostPort,
                               .host_ip = port.hostIP};
      const bool first =
          seen.emplace(mapping.protocol, mapping.container_port, mapping.host_port, mapping.host_ip)
              .second;
      if (first) mappings.push_back(std::move(mapping));
    }
  }
  return mappings;
}

Result<cri::PodSandboxConfig> sandbox_config(const NodeView& node, const api::Pod& pod,
                                             const SandboxRequest& request) {
  auto hostname = sandbox_hostname(pod, node.config.cluster_domain);
  if (!hostname) return fail(hostname.error());
  const auto& meta = pod.metadata;
  cri::PodSandboxConfig config{
      .metadata = {.name = meta.name,
                   .uid = meta.uid,
                   .namespace_ = meta.namespace_,
                   .attempt = request.attempt},
      .hostname = std::move(*hostname),
      .log_directory = pod_log_directory(node.config.paths, pod),
      .dns_config = pod_dns(node, pod, request.host_dns.value_or(node.host_dns)).config,
      .port_mappings = port_mappings(pod),
      .labels = meta.labels,
      .annotations = meta.annotations,
      .cgroup_parent = sandbox_cgroup_parent(node.config, pod),
      .security_context = sandbox_security_context(node, pod),
      .sysctls = sysctls(pod),
      .overhead = sandbox_overhead(node.config, node.facts, pod),
      .resources = sandbox_resources(node.config, node.facts, pod),
  };
  config.labels[cri::kLabelPodName] = meta.name;
  config.labels[cri::kLabelPodNamespace] = meta.namespace_;
  config.labels[cri::kLabelPodUid] = meta.uid;
  config.annotations[kAnnotationIncarnation] = std::to_string(request.incarnation);
  return config;
}

}  // namespace berth::node
