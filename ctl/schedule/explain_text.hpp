// SPDX-License-Identifier: Apache-2.0

// An explained scheduling decision as text. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "scheduling/explain/placement_explanation.hpp"

namespace berth::ctl {

// How much to print: what matters, or every node and domain.
enum class Extent : std::uint8_t { kBrief, kAll };

struct ExplainStyle {
  Extent extent = Extent::kBrief;
  bool spread = false;  // with the tables of topology spread
};

[[nodiscard]] std::string explain_text(const scheduling::PlacementExplanation& explanation,
                                       const ExplainStyle& style);

}  // namespace berth::ctl
