// What changed about the manifest folder's problems from one look to the next, so that each problem
// is reported once. Pure; the time it takes grows with the problems, not with their square.
#pragma once

#include <string>
#include <vector>

#include "agent/manifest_report.hpp"

namespace berth::agent {

struct ManifestNews {
  std::vector<ManifestProblem> new_problems{};
  // Had problems that were not just warnings, and have none now; sorted.
  std::vector<std::string> mended_files{};
};

// A problem is the same one as long as file, line, field and message are.
[[nodiscard]] ManifestNews news_since(const std::vector<ManifestProblem>& before,
                                      const std::vector<ManifestProblem>& now);

}  // namespace berth::agent
