// Reads what the machine is. Blocking: called at start, off the loop.
#pragma once

#include <string>

#include "base/result.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// What cannot be read stays empty or 0; memory, cpus and the cgroup mount are required.
[[nodiscard]] Result<NodeFacts> read_node_facts(const NodePaths& paths);

// What the kernel below `root` (empty: this one) confines containers with.
[[nodiscard]] HostConfinement read_host_confinement(const std::string& root = {});

// What the configured resolv.conf says; an error names the file.
[[nodiscard]] Result<cri::DnsConfig> read_host_dns(const NodePaths& paths);

}  // namespace berth::node
