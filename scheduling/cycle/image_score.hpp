// SPDX-License-Identifier: Apache-2.0

// ImageLocality: how much of a pod's images a node already has. Pure; 0 to 100.
#pragma once

#include <cstdint>
#include <vector>

#include "scheduling/cluster/image_states.hpp"
#include "scheduling/cluster/node_info.hpp"

namespace berth::scheduling {

// `wanted`: one per container, including init containers; `nodes`: total number of nodes.
[[nodiscard]] std::int64_t image_score(const std::vector<NameId>& wanted, const NodeInfo& node,
                                       const ImageStates& states, std::size_t nodes);

}  // namespace berth::scheduling
