// SPDX-License-Identifier: Apache-2.0

// The story of the node, for `berthctl why node`: its present state, and what berthd decided for
// the node as a whole, which no pod's story has. Pure; like why(), not for the loop thread.
#pragma once

#include <vector>

#include "api/node.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/ledger/why.hpp"
#include "node/image_gc.hpp"

namespace berth::lifecycle {

struct NodeWhyInput {
  const std::vector<LedgerRecord>& records;  // about the node (node_uid()), oldest first
  const api::Node& node;                     // as it is now
  WallTime now{};
  node::ImageGcPolicy images{};
  Nanoseconds image_period{};  // between two looks for unused images
};

[[nodiscard]] Why why_node(const NodeWhyInput& input);

}  // namespace berth::lifecycle
