// What the node can give up before a pod has to go: dead containers and unused images.
//
// Pure. Only disk can be reclaimed that way; which of the two lies on the signal's file system
// depends on the layout.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "eviction/layout.hpp"
#include "eviction/signal.hpp"

namespace berth::eviction {

enum class NodeReclaim : std::uint8_t {
  kDeadContainers,  // also those of pods that have ended and are still there
  kUnusedImages,    // all of them; pinned ones and young ones stay
};
[[nodiscard]] std::string_view to_string(NodeReclaim reclaim);

// In the order in which they are to be done; all are, whether the first sufficed or not.
[[nodiscard]] std::vector<NodeReclaim> node_reclaims(Signal signal, FileSystemLayout layout);

}  // namespace berth::eviction
