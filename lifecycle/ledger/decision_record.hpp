// Ledger records of decisions and facts, and which decisions are worth one.
//
// Whoever takes a decision keeps the last one it took (not the last one it recorded), asks
// worth_recording(), and writes the record to the Ledger.
// Pure; loop thread or any other.
#pragma once

#include <string>
#include <string_view>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/decision_inputs.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/ledger/record_codec.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/termination_order.hpp"
#include "node/admission.hpp"

namespace berth::lifecycle {

[[nodiscard]] LedgerRecord plan_record(const PlanInput& input, const Plan& plan);

// `at`: the wall time of `input.now`.
[[nodiscard]] LedgerRecord stops_record(const StopsInput& input, const TerminationStep& step,
                                        WallTime at);

// Reasons: one for each failure, none if the pod is admitted.
[[nodiscard]] LedgerRecord admission_record(const AdmissionInput& input,
                                            const node::Admission& admission, WallTime at);

// Reason: phase_reason's. The decision as it was published.
[[nodiscard]] LedgerRecord phase_record(const PhaseQuestion& question,
                                        const PhaseDecision& decision, WallTime at);

// Reasons: grace_reasons'.
[[nodiscard]] LedgerRecord grace_record(const GraceQuestion& question,
                                        const GraceDecision& decision, WallTime at);

// Reason: image_reason's.
[[nodiscard]] LedgerRecord image_record(const ImageQuestion& question,
                                        const ImageDecision& decision, WallTime at);

// Reason: pre_stop_reason's. `at`: the wall time of `question.now`.
[[nodiscard]] LedgerRecord pre_stop_record(const PreStopQuestion& question, const PreStopStep& step,
                                           WallTime at);

// Reason: deletion_reason's.
[[nodiscard]] LedgerRecord deletion_record(const DeletionQuestion& question,
                                           const DeletionPeriod& period, WallTime at);

// Reason: collection_reason's.
[[nodiscard]] LedgerRecord collection_record(const CollectionQuestion& question,
                                             const CollectionDecision& decision, WallTime at);

// Reason: loss_reason's.
[[nodiscard]] LedgerRecord loss_record(const LossQuestion& question, const LossDecision& decision,
                                       WallTime at);

// Something that happened: `action` is a stable word (why.hpp lists those it has sentences for),
// `container` is empty for the pod as a whole, `text` a clause that says what and why.
[[nodiscard]] LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string action,
                                       std::string container, std::string text);

// The reasons of an admission as its record has them.
[[nodiscard]] Reasons admission_reasons(const node::Admission& admission);

// Whether a decision says anything that the one before it (null: none) did not. The same again is
// not recorded, and neither is one that has nothing to do, unless the one before waited for
// something that is over now.
[[nodiscard]] bool worth_recording(const Plan& plan, const Plan* last);
[[nodiscard]] bool worth_recording(const TerminationStep& step, const TerminationStep* last);

}  // namespace berth::lifecycle
