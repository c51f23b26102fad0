// SPDX-License-Identifier: Apache-2.0

#include "ctl/evict/eviction_answer.hpp"

#include <fmt/format.h>

#include "ctl/exit_code.hpp"

namespace berth::ctl {
namespace {

constexpr int kCodeNotFound = 404;
constexpr int kCodeTooManyRequests = 429;

int exit_code_of(const api::Status& answer) {
  switch (answer.code) {
    case kCodeNotFound:
      return kNotFound;
    case kCodeTooManyRequests:
      return kBudgetInTheWay;
    default:
      return kFailed;
  }
}

EvictionReport refused(const EvictionOutcome& outcome) {
  EvictionReport report{.exit_code = exit_code_of(outcome.answer)};
  report.complaint =
      fmt::format("error: cannot evict pod \"{}\": {}\n", outcome.pod, outcome.answer.message);
  if (!outcome.answer.details) return report;
  for (const api::StatusCause& cause : outcome.answer.details->causes)
    report.complaint += fmt::format("  {}\n", cause.message);
  if (outcome.answer.details->retryAfterSeconds > 0)
    report.complaint +=
        fmt::format("  try again in {} s\n", outcome.answer.details->retryAfterSeconds);
  return report;
}

}  // namespace

EvictionReport eviction_report(const EvictionOutcome& outcome) {
  if (outcome.answer.status != "Success") return refused(outcome);
  EvictionReport report;
  report.text = fmt::format("pod/{} evicted{}: {}\n", outcome.pod,
                            outcome.dry_run ? " (dry run)" : "", outcome.why);
  if (outcome.comes_back)
    report.complaint +=
        "note: its manifest is still in the folder, so berthd starts a new incarnation; remove the "
        "file to end the pod for good\n";
  if (outcome.not_stored)
    report.complaint +=
        "warning: the eviction was not persisted within a second; if berthd crashes now, the pod "
        "may keep running\n";
  return report;
}

}  // namespace berth::ctl
