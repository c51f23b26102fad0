// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/histogram.hpp"

#include <algorithm>
#include <vector>

namespace berth::scheduling {

std::string ReasonHistogram::to_string() const {
  std::vector<std::string> lines;
  for (const auto& [reason, count] : counts_) lines.push_back(std::to_string(count) + " " + reason);
  // Sorted as texts: "10 x" comes before "2 x".
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? " " : ", ") + line;
  return text.empty() ? text : text + ".";
}

}  // namespace berth::scheduling
