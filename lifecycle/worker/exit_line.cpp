// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/exit_line.hpp"

#include <fmt/core.h>

#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

// Empty: the runtime does not say.
std::string after(const cri::ContainerStatus& status) {
  if (status.started_at <= 0 || status.finished_at < status.started_at) return "";
  return ", after " + span_text(Nanoseconds{status.finished_at - status.started_at});
}

// The words Error and Completed say nothing that the code does not.
std::string reason_of(const cri::ContainerStatus& status) {
  const bool says_more =
      !status.reason.empty() && status.reason != "Error" && status.reason != "Completed";
  return says_more ? fmt::format(" ({})", status.reason) : "";
}

}  // namespace

ExitLine exit_line(const ContainerEnded& end) {
  const cri::ContainerStatus& status = end.status;
  const std::string code = exit_code_text(status.exit_code);
  if (status.reason == kOomKilled)
    return {.level = LogLevel::kWarn,
            .event = kOomKilled,
            .message = fmt::format("{} was killed for using more memory than it may: {}{}", end.who,
                                   code, after(status))};
  return {.level = status.exit_code == 0 || end.ordered ? LogLevel::kInfo : LogLevel::kWarn,
          .event = "ContainerExited",
          .message = fmt::format("{} {} with {}{}{}", end.who,
                                 end.ordered ? "was told to stop, and ended" : "ended", code,
                                 reason_of(status), after(status))};
}

}  // namespace berth::lifecycle
