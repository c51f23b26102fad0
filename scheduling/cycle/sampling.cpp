// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace berth::scheduling {

std::int64_t feasible_nodes_wanted(std::int64_t nodes, std::int32_t percentage) {
  constexpr std::int64_t kAlwaysAll = 100;
  if (nodes < kAlwaysAll) return nodes;
  std::int64_t percent = percentage;
  if (percent == 0) percent = std::max<std::int64_t>(5, 50 - nodes / 125);
  return std::max(kAlwaysAll, nodes * percent / 100);
}

std::int64_t portion_of_nodes(std::int64_t nodes, std::int32_t parallelism) {
  const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(nodes)));
  return std::max<std::int64_t>(1, std::min(root, nodes / parallelism + 1));
}

}  // namespace berth::scheduling
