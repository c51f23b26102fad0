// SPDX-License-Identifier: Apache-2.0

// Normalises raw scores to 0 to 100, each plugin in its own way. Pure; scores are indexed by node,
// and only the listed nodes are read and written.
#pragma once

#include <cstdint>
#include <span>

#include "scheduling/cluster/change_log.hpp"

namespace berth::scheduling {

enum class Direction : std::uint8_t { kMoreIsBetter, kLessIsBetter };

// Scales in proportion to the largest score.
void normalize_by_largest(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                          Direction direction, std::uint8_t* normalized);

// PodTopologySpread: less is better; nodes with a non-zero `ignored` are skipped and get 0. Null if
// none are ignored.
void normalize_spread(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                      const std::uint8_t* ignored, std::uint8_t* normalized);

// InterPodAffinity: scales from the smallest to the largest score; all 0 if they are equal.
void normalize_range(std::span<const NodeIndex> nodes, const std::int64_t* raw,
                     std::uint8_t* normalized);

}  // namespace berth::scheduling
