// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/image_score.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
constexpr std::int64_t kLeast = 23 * kMiB;              // Kubernetes' minThreshold
constexpr std::int64_t kMostOfContainer = 1000 * kMiB;  // maxContainerThreshold

}  // namespace

std::int64_t image_score(const std::vector<NameId>& wanted, const NodeInfo& node,
                         const ImageStates& states, std::size_t nodes) {
  if (node.images.empty()) return 0;
  std::int64_t sum = 0;
  for (const NameId image : wanted) {
    if (!std::binary_search(node.images.begin(), node.images.end(), image)) continue;
    const ImageState* state = states.find(image);
    if (state == nullptr) continue;
    // An image on few nodes counts less, so that pods do not crowd there.
    const double spread = static_cast<double>(state->nodes) / static_cast<double>(nodes);
    sum += static_cast<std::int64_t>(static_cast<double>(state->size) * spread);
  }
  const std::int64_t most = kMostOfContainer * static_cast<std::int64_t>(wanted.size());
  sum = sum < kLeast ? kLeast : std::min(sum, most);
  return 100 * (sum - kLeast) / (most - kLeast);
}

}  // namespace berth::scheduling
