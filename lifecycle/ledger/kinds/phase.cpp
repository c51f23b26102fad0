// SPDX-License-Identifier: Apache-2.0

// The phase of a pod, as it is published (phase.hpp).
#include "lifecycle/status/phase.hpp"

#include <fmt/format.h>

#include "lifecycle/ledger/kind.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(PhaseQuestion, (),
                      (pod, statuses, starting_again, pod_is_terminal, pod_has_initialized, options,
                       previous, known, deadline_exceeded, finalised, shown_before,
                       containers_may_run))
BOOST_DESCRIBE_STRUCT(PhaseDecision, (), (phase, shown, settled))

// The rule is left out: it is the record's reason.
template <>
consteval bool strict_json::describes_all<PhaseDecision>() {
  return true;
}

namespace {

PhaseQuestion part(const PhaseQuestion& question) {
  PhaseQuestion part = question;
  part.pod = phase_part(question.pod);
  for (api::ContainerStatus& status : part.statuses) status = phase_part(status);
  return part;
}

// No sentence if only the shown phase changed, or if the plan's record states it (the deadline).
std::vector<Sentence> describe(const Decoded<PhaseQuestion, PhaseDecision>& decoded) {
  const std::string& phase = decoded.decision.phase;
  const std::string& previous = decoded.question.previous;
  StorySoFar& so_far = decoded.context.so_far;
  so_far.phase = phase;
  const bool first = previous.empty() && phase == kPending;
  if (first || phase == previous || decoded.record.reasons.empty()) return {};
  const Reason& reason = decoded.record.reasons.front();
  if (is_terminal_phase(phase)) so_far.end_explained = true;
  if (reason.rule == kDeadlineExceeded) return {};
  return {sentence_about(decoded.record, "pod", "phase/" + phase + "/" + reason.rule,
                         fmt::format("the pod is {}: {}", phase, reason.text))};
}

}  // namespace

template <>
const KindOf<PhaseQuestion, PhaseDecision>& kind_of() {
  static const RecordedKind kKind(Kind<PhaseQuestion, PhaseDecision>{
      .name = "phase",
      .decide = decide_phase,
      .reasons = [](const auto& question,
                    const auto& decision) { return Reasons{phase_reason(question, decision)}; },
      .part = part,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
