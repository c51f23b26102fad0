// What the node has and what of it pods may take.
//
// Pure. Allocatable is capacity less systemReserved, kubeReserved and the hard eviction thresholds
// of memory and the node's file system; memory also less the huge pages. Amounts in bytes.
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
