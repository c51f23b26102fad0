// What the node has and what of it pods may take.
//
// Pure. Allocatable = capacity − systemReserved − kubeReserved − hard eviction thresholds (memory
// and node file system), memory less the huge pages. Memory and storage in bytes.
#pragma once

#include "api/resources.hpp"
#include "base/result.hpp"
#include "node/node_config.hpp"

namespace berth::node {

[[nodiscard]] api::ResourceList node_capacity(const NodeConfig& config, const NodeFacts& facts);

[[nodiscard]] api::ResourceList node_allocatable(const NodeConfig& config, const NodeFacts& facts);

// kInvalid, naming the resource, where more is reserved than there is.
[[nodiscard]] Result<api::ResourceList> checked_allocatable(const NodeConfig& config,
                                                            const NodeFacts& facts);

}  // namespace berth::node
