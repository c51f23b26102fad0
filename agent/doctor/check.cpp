// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/check.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "agent/doctor/offline_doctor.hpp"
#include "agent/journal_log.hpp"
#include "base/text.hpp"

namespace berth::agent {
namespace {

std::string line_of(const Finding& finding) {
  const std::string subject = finding.subject.empty() ? "" : finding.subject + ": ";
  const std::string advice = finding.advice.empty() ? "" : "; " + finding.advice;
  return std::string(to_string(finding.severity)) + " " + finding.area + ": " +
         one_line(subject + finding.text + advice);
}

}  // namespace

int check_machine(const Options& options) {
  auto findings = examine_before_start(options);
  std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::severity);
  for (const Finding& finding : findings) std::printf("%s\n", line_of(finding).c_str());
  const bool well = std::ranges::all_of(
      findings, [](const Finding& finding) { return finding.severity == Severity::kNote; });
  if (well) std::printf("berthd can run pods here\n");
  return well ? 0 : 1;
}

void report_refusal(const std::vector<ConfigProblem>& problems) {
  constexpr const char* kRefused = "the configuration is refused; nothing was started";
  if (stderr_is_the_journal()) {
    const auto log = make_log(LogLevel::kInfo, {});
    for (const auto& problem : problems)
      log->write(LogLevel::kError, "ConfigurationRefused", problem.to_string(), {});
    log->write(LogLevel::kError, "CannotStart", kRefused, {});
    return;
  }
  for (const auto& problem : problems)
    std::fprintf(stderr, "berthd: %s\n", one_line(problem.to_string()).c_str());
  std::fprintf(stderr, "berthd: %s\n", kRefused);
}

int check_configuration(const Settings& settings) {
  for (const auto& file : settings.drop_ins) std::printf("drop-in: %s\n", one_line(file).c_str());
  for (const auto& field : settings.unused_fields)
    std::printf("not used in this version: %s\n", one_line(field).c_str());
  for (const auto& warning : settings.warnings)
    std::printf("warning: %s\n", one_line(warning).c_str());
  std::printf("configuration ok\n");
  return 0;
}

}  // namespace berth::agent
