// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/adoption_decision.hpp"

namespace berth::lifecycle {

AdoptionDecision decide_adoption(const AdoptionQuestion& question) {
  const bool unknown = !question.stored || question.ordered == EndCause::kUnknownPod;
  return {.cause = unknown ? EndCause::kUnknownPod : EndCause::kManifestRemoved};
}

Reason adoption_reason(const AdoptionQuestion& question, const AdoptionDecision& decision) {
  if (decision.cause == EndCause::kManifestRemoved)
    return {.subject = "pod",
            .rule = "ManifestGone",
            .text = "berthd's state has it, and no manifest defines it any more"};
  if (question.stored)
    return {.subject = "pod",
            .rule = "UnknownPod",
            .text = "an earlier berthd was terminating it as a pod that no manifest defined"};
  return {
      .subject = "pod",
      .rule = "UnknownPod",
      .text =
          "the runtime has it, and neither a manifest nor berthd's state has it as a pod to run"};
}

}  // namespace berth::lifecycle
