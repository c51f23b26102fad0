// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pre_stop_step.hpp"

namespace berth::lifecycle {

PreStopStep pre_stop_step(const PreStopSituation& situation, SteadyTime now) {
  if (situation.known) return {.done_at = situation.known->done_at};
  if (situation.begun_before) return {.done_at = now, .settle = true};
  const bool can_run = situation.leaves_time && situation.container_runs;
  if (!situation.has_hook || !can_run) return {.done_at = situation.stop_began};
  return {.begin = true};
}

Reason pre_stop_reason(const PreStopQuestion& question, const PreStopStep& step) {
  Reason reason{.subject = question.container,
                .rule = "PreStopCannotRun",
                .text = "its preStop hook is not run: the container does not run"};
  if (step.begin) {
    reason.rule = kPreStopDue;
    reason.text = "its preStop hook runs before its stop signal";
  } else if (step.settle) {
    reason.rule = "PreStopBegunBefore";
    reason.text = "its preStop hook is not begun again: an earlier berthd had, or came too late";
  } else if (!question.situation.leaves_time) {
    reason.rule = "PreStopNoTime";
    reason.text = "its preStop hook is not run: the grace period leaves no time for it";
  }
  return reason;
}

}  // namespace berth::lifecycle
