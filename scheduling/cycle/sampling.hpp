// SPDX-License-Identifier: Apache-2.0

// How many feasible nodes are enough, and in which portions nodes are considered. Pure.
#pragma once

#include <cstdint>

namespace berth::scheduling {

// With `percentage` 0 the share falls with the number of nodes, from 50 to 5 percent.
[[nodiscard]] std::int64_t feasible_nodes_wanted(std::int64_t nodes, std::int32_t percentage);

// Nodes are handed to workers in portions of this size; a started portion is finished.
[[nodiscard]] std::int64_t portion_of_nodes(std::int64_t nodes, std::int32_t parallelism);

}  // namespace berth::scheduling
