// SPDX-License-Identifier: Apache-2.0

// The text of a pod's /etc/hosts.
//
// Pure; the kubelet's text, so that images that look for its markers find them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "node/hostname.hpp"

namespace berth::node {

// `host_file` is the content of the host's own /etc/hosts, for host network pods.
[[nodiscard]] std::string etc_hosts_text(const api::Pod& pod, const PodHostname& hostname,
                                         const std::vector<std::string>& pod_ips,
                                         std::string_view host_file);

// False if the container has its own mount there, or the pod has no address yet.
[[nodiscard]] bool wants_etc_hosts(const api::Pod& pod, const api::Container& container,
                                   const std::vector<std::string>& pod_ips);

}  // namespace berth::node
