// SPDX-License-Identifier: Apache-2.0

// Groups nodes that refuse a pod for the same reason, so that five thousand of them take a few
// lines. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scheduling/explain/placement_explanation.hpp"

namespace berth::ctl {

// Nodes with the same text.
struct AlikeNodes {
  std::vector<const scheduling::NodeVerdict*> nodes{};
};

// Nodes that the scheduler reports with the same reason.
struct NodeGroup {
  std::string plugin{};
  std::string reasons{};
  std::size_t nodes = 0;
  std::size_t for_this_alone = 0;  // refused by no other filter
  // Closest to accepting the pod first: fewest refusing filters, then the smallest shortage.
  std::vector<AlikeNodes> alike{};
};

// Largest group first. Points into the explanation.
[[nodiscard]] std::vector<NodeGroup> group_refused(
    const std::vector<scheduling::NodeVerdict>& nodes);

}  // namespace berth::ctl
