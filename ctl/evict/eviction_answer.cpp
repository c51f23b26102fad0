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

EvictionReport refused(const EvictionTold& told) {
  EvictionReport report{.exit_code = exit_code_of(told.answer)};
  report.complaint =
      fmt::format("error: cannot evict pod \"{}\": {}\n", told.pod, told.answer.message);
  if (!told.answer.details) return report;
  for (const api::StatusCause& cause : told.answer.details->causes)
    report.complaint += fmt::format("  {}\n", cause.message);
  if (told.answer.details->retryAfterSeconds > 0)
    report.complaint +=
        fmt::format("  try again in {} s\n", told.answer.details->retryAfterSeconds);
  return report;
}

}  // namespace

EvictionReport eviction_report(const EvictionTold& told) {
  if (told.answer.status != "Success") return refused(told);
  EvictionReport report;
  report.text =
      fmt::format("pod/{} evicted{}: {}\n", told.pod, told.dry_run ? " (dry run)" : "", told.why);
  if (told.comes_back)
    report.complaint +=
        "note: its manifest is still in the folder, so berthd starts a new incarnation; remove the "
        "file to end the pod for good\n";
  if (told.not_stored)
    report.complaint +=
        "warning: the eviction was not persisted within a second; if berthd crashes now, the pod "
        "may keep running\n";
  return report;
}

}  // namespace berth::ctl
