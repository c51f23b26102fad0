// SPDX-License-Identifier: Apache-2.0

// Normalises raw scores to 0 to 100, each plugin in its own way. Pure; scores are indexed by node,
// and only the listed nodes are read and written.
#pragma once

#include <cstdint>
#include <span>

#include "scheduling/cluster/change_log.hpp"

namespace berth::scheduling {

enum class Direction : std::uint8_t { kMoreIsBetter, kLessIsBetter };

// In proportion to the largest score.
void normalize_by_largest(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                          Direction direction, std::uint8_t* normalized);

// PodTopologySpread: less is better; nodes with a non-zero `ignored` take no part and get 0. Null:
// all take part.
void normalize_spread(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                      const std::uint8_t* ignored, std::uint8_t* normalized);

// InterPodAffinity: from the smallest to the largest; if all are equal, 0.
void normalize_range(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                     std::uint8_t* normalized);

}  // namespace berth::scheduling
