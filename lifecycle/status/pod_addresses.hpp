// SPDX-License-Identifier: Apache-2.0

// The addresses in a pod's status: its own in the node's order of families, and the node's. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/status/pod_status.hpp"

namespace berth::lifecycle {

// Sets podIP and podIPs from what the runtime reports: at most one of each family, the family of
// the node's first configured address first (IPv4 if it has none). Invalid addresses are left out.
void set_pod_ips(const std::vector<std::string>& runtime_ips, const NodeAddresses& node,
                 api::PodStatus& status);

// Sets hostIP and hostIPs; for a pod in the host's network, they are its own addresses as well.
void set_host_ips(const api::Pod& pod, const NodeAddresses& node, api::PodStatus& status);

// podIPs as in the status, also for a pod in the host's network: the values of `status.podIP` and
// `status.podIPs` in a container's environment.
[[nodiscard]] std::vector<std::string> pod_ips_in_status(
    const api::Pod& pod, const std::vector<std::string>& runtime_ips, const NodeAddresses& node);

}  // namespace berth::lifecycle
