// SPDX-License-Identifier: Apache-2.0

// A pod's hostname.
//
// Pure. Limits: 63 bytes is the longest DNS label, 64 the longest hostname in Linux.
#pragma once

#include <string>

#include "api/pod.hpp"
#include "base/result.hpp"

namespace berth::node {

struct PodHostname {
  std::string host{};
  std::string domain{};  // <subdomain>.<namespace>.svc.<cluster domain>, if there is a subdomain

  bool operator==(const PodHostname&) const = default;
};

[[nodiscard]] Result<PodHostname> pod_hostname(const api::Pod& pod,
                                               const std::string& cluster_domain);

// The sandbox's hostname: empty for the host's network; host.domain for setHostnameAsFQDN.
[[nodiscard]] Result<std::string> sandbox_hostname(const api::Pod& pod,
                                                   const std::string& cluster_domain);

}  // namespace berth::node
