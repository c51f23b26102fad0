// SPDX-License-Identifier: Apache-2.0

#include "node/etc_hosts.hpp"

#include <algorithm>

namespace berth::node {
namespace {

constexpr std::string_view kPodHeader = "# Kubernetes-managed hosts file.\n";
constexpr std::string_view kHostHeader = "# Kubernetes-managed hosts file (host network).\n";
constexpr std::string_view kLoopback =
    "127.0.0.1\tlocalhost\n"
    "::1\tlocalhost ip6-localhost ip6-loopback\n"
    "fe00::0\tip6-localnet\n"
    "fe00::0\tip6-mcastprefix\n"
    "fe00::1\tip6-allnodes\n"
    "fe00::2\tip6-allrouters\n";

}  // namespace

std::string etc_hosts_text(const api::Pod& pod, const PodHostname& hostname,
                           const std::vector<std::string>& pod_ips, std::string_view host_file) {
  std::string text;
  if (pod.spec.hostNetwork) {
    text.append(kHostHeader).append(host_file);
  } else {
    text.append(kPodHeader).append(kLoopback);
    for (const auto& ip : pod_ips) {
      text += ip + "\t";
      if (!hostname.domain.empty()) text += hostname.host + "." + hostname.domain + "\t";
      text += hostname.host + "\n";
    }
  }
  if (pod.spec.hostAliases.empty()) return text;
  text += "\n# Entries added by HostAliases.\n";
  for (const auto& alias : pod.spec.hostAliases) {
    text += alias.ip;
    for (const auto& name : alias.hostnames) text += "\t" + name;
    text += "\n";
  }
  return text;
}

bool wants_etc_hosts(const api::Pod& pod, const api::Container& container,
                     const std::vector<std::string>& pod_ips) {
  const auto& mounts = container.volumeMounts;
  const bool own = std::any_of(mounts.begin(), mounts.end(), [](const api::VolumeMount& mount) {
    return mount.mountPath == "/etc/hosts";
  });
  return !own && (pod.spec.hostNetwork || !pod_ips.empty());
}

}  // namespace berth::node
