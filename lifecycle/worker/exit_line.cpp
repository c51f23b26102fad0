// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/exit_line.hpp"

#include <fmt/core.h>

#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

// Empty if the runtime does not report the times.
std::string after(const cri::ContainerStatus& status) {
  if (status.started_at <= 0 || status.finished_at < status.started_at) return "";
  return ", after " + span_text(Nanoseconds{status.finished_at - status.started_at});
}

// The reasons Error and Completed add nothing to the exit code.
std::string reason_of(const cri::ContainerStatus& status) {
  const bool says_more =
      !status.reason.empty() && status.reason != "Error" && status.reason != "Completed";
  return says_more ? fmt::format(" ({})", status.reason) : "";
}

// The clause before how the container ended; empty if it ended by itself.
std::string_view begun_by(EndWanted wanted) {
  switch (wanted) {
    case EndWanted::kNo:
      return "";
    case EndWanted::kToBeStopped:
      return "was about to be stopped";
    case EndWanted::kAskedToStop:
      return "was being stopped";
  }
  return "";
}

}  // namespace

EndWanted end_wanted(const cri::ContainerStatus& status, const ContainerStop* stop, bool pod_ends,
                     const Instant& now) {
  if (stop != nullptr && stop->in_force) {
    if (ended_before(status, *stop->in_force, now)) return EndWanted::kNo;
    return stop->in_force->stored.pre_stop ? EndWanted::kAskedToStop : EndWanted::kToBeStopped;
  }
  // Details that the runtime adds to an end that was already reported.
  if (stop != nullptr && stop->calls.under_way()) return EndWanted::kAskedToStop;
  return pod_ends ? EndWanted::kToBeStopped : EndWanted::kNo;
}

ExitLine exit_line(const ContainerEnded& end) {
  const cri::ContainerStatus& status = end.status;
  const std::string_view begun = begun_by(end.wanted);
  const std::string code = exit_code_text(status.exit_code);
  if (status.reason == kOomKilled)
    return {.level = LogLevel::kWarn,
            .event = kOomKilled,
            .message = fmt::format("{} {}{}ran out of memory, and ended with {}{}", end.who, begun,
                                   begun.empty() ? "" : ", ", code, after(status))};
  const bool fine = status.exit_code == 0 || end.wanted != EndWanted::kNo;
  return {.level = fine ? LogLevel::kInfo : LogLevel::kWarn,
          .event = "ContainerExited",
          .message =
              fmt::format("{} {}{}ended with {}{}{}", end.who, begun, begun.empty() ? "" : ", and ",
                          code, reason_of(status), after(status))};
}

}  // namespace berth::lifecycle
