// SPDX-License-Identifier: Apache-2.0

// A pod's history, or the node's, as `berthctl why` prints it. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::ctl {

struct WhySentence {
  std::string time{};  // RFC 3339, UTC
  std::string text{};
};

struct WhyStory {
  std::string namespace_{};  // empty if it is about the node
  std::string name{};
  std::string present{};
  std::vector<WhySentence> happened{};
  std::vector<std::string> coming{};
};

// Omits the date for times of today.
[[nodiscard]] std::string why_text(const WhyStory& story, WallTime now);

}  // namespace berth::ctl
