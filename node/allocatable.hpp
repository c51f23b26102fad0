// SPDX-License-Identifier: Apache-2.0

// The node's capacity, and the part of it that pods may use.
//
// Pure. Allocatable is capacity minus systemReserved, kubeReserved and the hard eviction thresholds
// of memory and the node's file system; memory also minus the huge pages. Amounts in bytes.
#pragma once

#include "api/resources.hpp"
#include "base/result.hpp"
#include "node/node_config.hpp"

namespace berth::node {

[[nodiscard]] api::ResourceList node_capacity(const NodeConfig& config, const NodeFacts& facts);

[[nodiscard]] api::ResourceList node_allocatable(const NodeConfig& config, const NodeFacts& facts);

// Fails with kInvalid, naming the resource, if more is reserved than exists.
[[nodiscard]] Result<api::ResourceList> checked_allocatable(const NodeConfig& config,
                                                            const NodeFacts& facts);

}  // namespace berth::node
