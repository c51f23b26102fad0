// SPDX-License-Identifier: Apache-2.0

// What changed about the manifest folder's problems between two looks, so that each problem is
// reported once. Pure; takes time linear in the number of problems, not quadratic.
#pragma once

#include <string>
#include <vector>

#include "agent/sources/manifest_report.hpp"

namespace berth::agent {

struct ManifestNews {
  std::vector<ManifestProblem> new_problems{};
  // Files that had problems other than warnings, and have none now; sorted.
  std::vector<std::string> mended_files{};
};

// A problem is the same one as long as file, line, field and message are.
[[nodiscard]] ManifestNews news_since(const std::vector<ManifestProblem>& before,
                                      const std::vector<ManifestProblem>& now);

}  // namespace berth::agent
