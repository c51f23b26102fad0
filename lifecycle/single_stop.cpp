// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/single_stop.hpp"

namespace berth::lifecycle {

TerminationStep decide_single_stop(const SingleStopQuestion& question) {
  // No other container stops with it, so the pod's spec cannot impose an order.
  TerminationStep step = next_stops(api::Pod{}, {question.stop}, question.now);
  for (Reason& reason : step.reasons)
    if (reason.rule == kStopRule && !question.kill.message.empty())
      reason.text = question.kill.message;
  return step;
}

}  // namespace berth::lifecycle
