// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/deletion_period.hpp"

#include <fmt/format.h>

namespace berth::lifecycle {

DeletionPeriod deletion_period(const DeletionSituation& situation) {
  const auto& [requested, own, placed, phase, in_force] = situation;
  const bool negative = requested && *requested < 0;
  if (in_force) {
    if (!requested) return {.seconds = *in_force, .takes_effect = false};
    const std::int64_t seconds = negative ? 1 : *requested;
    const bool sooner = seconds < *in_force;
    return {.seconds = sooner ? seconds : *in_force, .takes_effect = sooner};
  }
  if (!placed || is_terminal_phase(phase)) return {.seconds = 0};
  const std::int64_t seconds = requested ? *requested : own.value_or(0);
  return {.seconds = seconds < 0 ? 1 : seconds};
}

Reason deletion_reason(const DeletionQuestion& question, const DeletionPeriod& period) {
  const auto& [requested, own, placed, phase, in_force] = question.situation;
  const auto reason = [](std::string_view rule, std::string text) {
    return Reason{.subject = "pod", .rule = std::string(rule), .text = std::move(text)};
  };
  if (!period.takes_effect)
    return reason(
        kDeletionNoSooner,
        fmt::format("another deletion{} is not sooner than the {} s that the pod has",
                    requested ? fmt::format(" with {} s", *requested) : "", period.seconds));
  if (in_force)
    return reason("DeletionSooner", fmt::format("it was deleted again with {} s", period.seconds));
  if (!placed) return reason("DeletionUnplaced", "it was deleted and has never been run");
  if (is_terminal_phase(phase))
    return reason("DeletionFinished", fmt::format("it was deleted and is {} already", phase));
  if (period.seconds == 0) return reason("DeletionForced", "it was deleted at once");
  return reason("Deletion", fmt::format("it was deleted with {} s, {}", period.seconds,
                                        requested ? "as was asked" : "its own period"));
}

}  // namespace berth::lifecycle
