// SPDX-License-Identifier: Apache-2.0

#include "ctl/problem_text.hpp"

#include <fmt/format.h>

namespace berth::ctl {

std::string problem_text(const control::v1::ManifestProblem& problem) {
  std::string text = problem.file();
  if (problem.line() > 0) text += fmt::format(":{}", problem.line());
  if (problem.line() > 0 && problem.column() > 0) text += fmt::format(":{}", problem.column());
  text += ": ";
  if (problem.warning()) text += "warning: ";
  if (!problem.path().empty()) text += problem.path() + ": ";
  text += problem.message();
  if (!problem.kept_pods().empty()) {
    text += " (";
    for (int i = 0; i < problem.kept_pods_size(); ++i) {
      text += (i == 0 ? "" : ", ") + problem.kept_pods(i);
    }
    text += problem.kept_pods_size() == 1 ? " runs" : " run";
    text += " from the last good version)";
  }
  return text;
}

}  // namespace berth::ctl
