// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/normalize.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace berth::scheduling {
namespace {

constexpr std::int64_t kMost = 100;

struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
};

template <class Counts>
Range range_of(std::span<const NodeIndex> nodes, const std::int64_t* raw, Counts&& counts) {
  Range range;
  for (const NodeIndex node : nodes) {
    if (!counts(node)) continue;
    const std::int64_t score = raw[node];
    range.least = std::min(range.least, score);
    range.most = std::max(range.most, score);
  }
  return range;
}

// Writes formula(raw) for each node. If the raw scores are in a narrow range, as they mostly are,
// each value is computed once, because a division per node is expensive.
template <class Formula>
void write(std::span<const NodeIndex> nodes, const std::int64_t* raw, const Range& range,
           std::uint8_t* normalized, Formula&& formula) {
  std::array<std::uint8_t, 512> known;
  const bool near = range.least <= range.most &&
                    range.most - range.least < static_cast<std::int64_t>(known.size());
  if (!near || nodes.size() < known.size()) {
    for (const NodeIndex node : nodes) {
      normalized[node] = static_cast<std::uint8_t>(formula(raw[node]));
    }
    return;
  }
  for (std::int64_t score = range.least; score <= range.most; ++score) {
    known[static_cast<std::size_t>(score - range.least)] =
        static_cast<std::uint8_t>(formula(score));
  }
  for (const NodeIndex node : nodes) {
    normalized[node] = known[static_cast<std::size_t>(raw[node] - range.least)];
  }
}

constexpr auto kAll = [](NodeIndex) { return true; };

}  // namespace

void normalize_by_largest(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                          Direction direction, std::uint8_t* normalized) {
  const Range range = range_of(nodes, raw, kAll);
  const bool less = direction == Direction::kLessIsBetter;
  write(nodes, raw, range, normalized, [&](std::int64_t score) {
    const std::int64_t share = range.most == 0 ? 0 : kMost * score / range.most;
    return less ? kMost - share : share;
  });
}

void normalize_spread(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                      const std::uint8_t* ignored, std::uint8_t* normalized) {
  const Range all = range_of(nodes, raw, kAll);
  const Range range =
      ignored == nullptr ? all
                         : range_of(nodes, raw, [&](NodeIndex node) { return ignored[node] == 0; });
  write(nodes, raw, all, normalized, [&](std::int64_t score) -> std::int64_t {
    if (range.most <= 0) return kMost;
    // Only scores of ignored nodes are outside 0 to 100.
    return std::clamp<std::int64_t>(kMost * (range.most + range.least - score) / range.most, 0,
                                    kMost);
  });
  if (ignored == nullptr) return;
  for (const NodeIndex node : nodes) {
    if (ignored[node] != 0) normalized[node] = 0;
  }
}

void normalize_range(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                     std::uint8_t* normalized) {
  const Range range = range_of(nodes, raw, kAll);
  const auto span = static_cast<double>(range.most - range.least);
  write(nodes, raw, range, normalized, [&](std::int64_t score) -> std::int64_t {
    if (range.most == range.least) return 0;
    return static_cast<std::int64_t>(static_cast<double>(kMost) *
                                     (static_cast<double>(score - range.least) / span));
  });
}

}  // namespace berth::scheduling
