// SPDX-License-Identifier: Apache-2.0

// A pod's resolver configuration: from the host's resolv.conf, the cluster's servers, and the pod's
// own settings.
//
// Pure. Limits: 3 nameservers and 32 search paths of 2048 bytes together (Kubernetes'); a single
// path has at most 253 bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// The content of a resolv.conf. Unknown lines are skipped.
[[nodiscard]] cri::DnsConfig parse_resolv_conf(std::string_view text);

struct PodDns {
  cri::DnsConfig config{};
  std::vector<std::string> warnings{};  // for events of reason DNSConfigForming
  std::string missing_cluster_dns{};    // for an event of reason MissingClusterDNS
};

// `host`: the configuration of the host.
[[nodiscard]] PodDns pod_dns(const NodeView& node, const api::Pod& pod, const cri::DnsConfig& host);

}  // namespace berth::node
