// SPDX-License-Identifier: Apache-2.0

// Reads facts about the machine. Blocking: called at start, off the loop.
#pragma once

#include <string>

#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// Unreadable values stay empty or 0; memory, cpus and the cgroup mount are required.
[[nodiscard]] Result<NodeFacts> read_node_facts(const NodePaths& paths);

// How the kernel below `root` (empty: the running one) can confine containers.
[[nodiscard]] HostConfinement read_host_confinement(const std::string& root = {});

// Parses the configured resolv.conf; an error names the file.
[[nodiscard]] Result<cri::DnsConfig> read_host_dns(const NodePaths& paths);

}  // namespace berth::node
