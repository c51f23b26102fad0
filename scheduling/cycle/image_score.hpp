// ImageLocality: how much of a pod's images is on a node already. Pure; 0 to 100.
#pragma once

#include <cstdint>
#include <vector>

#include "scheduling/cluster/image_states.hpp"
#include "scheduling/cluster/node_info.hpp"

namespace berth::scheduling {

// `wanted`: one for each container, init containers included; `nodes`: how many there are in all.
[[nodiscard]] std::int64_t image_score(const std::vector<NameId>& wanted, const NodeInfo& node,
                                       const ImageStates& states, std::size_t nodes);

}  // namespace berth::scheduling
