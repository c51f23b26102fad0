// Resources of a container and of its sandbox as the runtime gets them.
//
// Pure. Amounts of CRI: µs, bytes, 0 = not set. `spec.resources` of a pod fills in what a
// container leaves open; requests default to limits only for cpu shares.
#pragma once

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

[[nodiscard]] cri::LinuxContainerResources container_resources(const NodeConfig& config,
                                                               const NodeFacts& facts,
                                                               const api::Pod& pod,
                                                               const api::Container& container);

// The sum over the pod, for runtimes that size a machine for it.
[[nodiscard]] cri::LinuxContainerResources sandbox_resources(const NodeConfig& config,
                                                             const NodeFacts& facts,
                                                             const api::Pod& pod);
// spec.overhead; all zero without one.
[[nodiscard]] cri::LinuxContainerResources sandbox_overhead(const NodeConfig& config,
                                                            const NodeFacts& facts,
                                                            const api::Pod& pod);

}  // namespace berth::node
