// Nodes that refuse a pod for the same reason, put together, so that five thousand of them are a
// few lines. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scheduling/explain/placement_explanation.hpp"

namespace berth::ctl {

// Nodes of which the same is to be said.
struct AlikeNodes {
  std::vector<const scheduling::NodeVerdict*> nodes{};
};

// Nodes that the scheduler reports with the same reason.
struct NodeGroup {
  std::string plugin{};
  std::string reasons{};
  std::size_t nodes = 0;
  std::size_t for_this_alone = 0;  // no other filter refuses them
  // Those nearest to taking the pod first: fewest filters that refuse, then the smallest shortage.
  std::vector<AlikeNodes> alike{};
};

// The largest group first. Points into the explanation.
[[nodiscard]] std::vector<NodeGroup> group_refused(
    const std::vector<scheduling::NodeVerdict>& nodes);

}  // namespace berth::ctl
