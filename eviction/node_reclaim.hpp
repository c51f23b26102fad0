// SPDX-License-Identifier: Apache-2.0

// What the node can reclaim before it evicts a pod: dead containers and unused images.
//
// Pure. Only disk can be reclaimed this way; the layout decides which of the two is on the signal's
// file system.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "eviction/layout.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

enum class NodeReclaim : std::uint8_t {
  kDeadContainers,  // including those of ended pods that still exist
  kUnusedImages,    // all but pinned and recent ones
};
[[nodiscard]] std::string_view to_string(NodeReclaim reclaim);

// In the order of execution; all are done, whether the first sufficed or not.
[[nodiscard]] std::vector<NodeReclaim> node_reclaims(Signal signal, FileSystemLayout layout);

}  // namespace berth::eviction
