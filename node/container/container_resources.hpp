// SPDX-License-Identifier: Apache-2.0

// Resources of a container and of its sandbox in the runtime's form.
//
// Pure. Amounts are CRI's: µs, bytes, 0 = not set. A pod's `spec.resources` fills in what a
// container leaves unset; requests default to limits only for cpu shares.
#pragma once

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "node/node_config.hpp"

namespace berth::node {

// The amount of a resource in a list; zero if the list does not name it.
[[nodiscard]] api::Quantity amount_in(const api::ResourceList& list, const std::string& resource);

[[nodiscard]] cri::LinuxContainerResources container_resources(const NodeConfig& config,
                                                               const NodeFacts& facts,
                                                               const api::Pod& pod,
                                                               const api::Container& container);

// The sum over the pod, for runtimes that size a virtual machine by it.
[[nodiscard]] cri::LinuxContainerResources sandbox_resources(const NodeConfig& config,
                                                             const NodeFacts& facts,
                                                             const api::Pod& pod);
// spec.overhead; all zero if unset.
[[nodiscard]] cri::LinuxContainerResources sandbox_overhead(const NodeConfig& config,
                                                            const NodeFacts& facts,
                                                            const api::Pod& pod);

}  // namespace berth::node
