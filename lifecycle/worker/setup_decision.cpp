// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/setup_decision.hpp"

namespace berth::lifecycle {
namespace {

// The kubelet's event reason for the part that failed.
std::string_view event_reason(SetupPart part) {
  if (part == SetupPart::kVolumes) return "FailedMount";
  return part == SetupPart::kControlGroup ? "FailedCreatePodContainer" : "Failed";
}

}  // namespace

SetupDecision decide_setup(const SetupQuestion& question) {
  if (question.failures.empty()) return {.standing = SetupStanding::kReady};
  return {.standing = question.written_again ? SetupStanding::kGoesOn : SetupStanding::kWaits};
}

Reasons setup_reasons(const SetupQuestion& question) {
  if (question.failures.empty()) {
    const bool volumes = question.part == SetupPart::kVolumes;
    return {{.subject = "pod",
             .rule = "SetUp",
             .text = volumes ? "its volumes are set up" : "its directories and its cgroup exist"}};
  }
  Reasons reasons;
  for (const std::string& failure : question.failures)
    reasons.push_back(
        {.subject = "pod", .rule = std::string(event_reason(question.part)), .text = failure});
  return reasons;
}

}  // namespace berth::lifecycle
