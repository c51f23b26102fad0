#include "lifecycle/ledger/pod_removal.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

std::string cause_text(const std::optional<EndInForce>& end) {
  if (!end) return "an earlier berthd was told to end it";
  return end_cause_text(end->ending.cause, by_force(end->ending));
}

std::string end_of(const api::ContainerStatus& status) {
  const auto& ended =
      status.state.terminated ? status.state.terminated : status.lastState.terminated;
  if (!ended) return "that never ran";
  std::string text = "with " + exit_code_text(ended->exitCode);
  const std::string& reason = ended->reason;
  if (!reason.empty() && reason != "Error" && reason != "Completed") text += ", " + reason;
  return text;
}

}  // namespace

std::string removal_text(const api::Pod& last, const std::optional<EndInForce>& end) {
  std::vector<std::string> ends;
  for (const auto& status : last.status.initContainerStatuses)
    ends.push_back(fmt::format("init container {} {}", status.name, end_of(status)));
  for (const auto& status : last.status.containerStatuses)
    ends.push_back(fmt::format("container {} {}", status.name, end_of(status)));
  const std::string& phase = last.status.phase;
  std::string how = is_terminal_phase(phase) ? "it ended " + phase
                    : phase.empty()          ? "it had not begun"
                                             : "it was " + phase;
  if (!last.status.reason.empty()) how += fmt::format(" ({})", last.status.reason);
  if (!ends.empty()) how += fmt::format(": {}", fmt::join(ends, ", "));
  return fmt::format("the pod is removed: {}; {}", cause_text(end), how);
}

}  // namespace berth::lifecycle
