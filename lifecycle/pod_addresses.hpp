// SPDX-License-Identifier: Apache-2.0

// The addresses in a pod's status: its own in the node's order of families, and the node's. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/pod.hpp"
#include "lifecycle/pod_status.hpp"

namespace berth::lifecycle {

// podIP and podIPs from what the runtime tells: at most one of each family, the family of the
// node's first configured address first (IPv4 if it has none). What is no address is left out.
void set_pod_ips(const std::vector<std::string>& runtime_ips, const NodeAddresses& node,
                 api::PodStatus& status);

// hostIP and hostIPs; a pod in the host's network has them as its own, too.
void set_host_ips(const api::Pod& pod, const NodeAddresses& node, api::PodStatus& status);

// podIPs as the status has them: what `status.podIP` and `status.podIPs` in a container's
// environment say, of a pod in the host's network as well.
[[nodiscard]] std::vector<std::string> pod_ips_in_status(
    const api::Pod& pod, const std::vector<std::string>& runtime_ips, const NodeAddresses& node);

}  // namespace berth::lifecycle
