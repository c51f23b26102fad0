// SPDX-License-Identifier: Apache-2.0

#include "ctl/doctor_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"

namespace berth::ctl {
namespace {

struct Area {
  std::string_view name{};
  std::string_view title{};
  std::string_view well{};
};

constexpr std::array kAreas = {
    Area{"berthd", "berthd", "answers"},
    Area{"machine", "Machine", "has what pods need"},
    Area{"runtime", "Container runtime", "answers, and every change was reported by an event"},
    Area{"store", "State file", "is written and read"},
    Area{"configuration", "Configuration", "every field has its effect"},
    Area{"manifests", "Manifest folder", "everything in it is in force"},
    Area{"pods", "Pods", "none is held up by the runtime or the state file"},
    Area{"takeover", "A kubelet in place of berthd", "would go on with every pod"},
};

std::string line_of(const DoctorFinding& finding) {
  const std::string subject = finding.subject.empty() ? "" : finding.subject + ": ";
  const std::string advice = finding.advice.empty() ? "" : "; " + finding.advice;
  return fmt::format("  {:<8} {}\n", finding.severity, one_line(subject + finding.text + advice));
}

int rank(const DoctorFinding& finding) {
  if (finding.severity == "trouble") return 0;
  return finding.severity == "warning" ? 1 : 2;
}

}  // namespace

std::string doctor_text(const std::vector<DoctorFinding>& findings) {
  std::vector<DoctorFinding> sorted = findings;
  std::ranges::stable_sort(sorted, {}, rank);
  std::string text;
  for (const Area& area : kAreas) {
    std::string lines;
    for (const DoctorFinding& finding : sorted)
      if (finding.area == area.name) lines += line_of(finding);
    text += lines.empty() ? fmt::format("{}: {}\n", area.title, area.well)
                          : fmt::format("{}:\n{}", area.title, lines);
  }
  // Areas of a newer berthd.
  for (const DoctorFinding& finding : sorted) {
    const bool known = std::ranges::find(kAreas, finding.area, &Area::name) != kAreas.end();
    if (!known) text += fmt::format("{}:\n{}", finding.area, line_of(finding));
  }
  return text;
}

bool needs_attention(const std::vector<DoctorFinding>& findings) {
  return std::ranges::any_of(findings,
                             [](const DoctorFinding& finding) { return rank(finding) < 2; });
}

}  // namespace berth::ctl
