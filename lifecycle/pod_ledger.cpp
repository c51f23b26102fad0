#include "lifecycle/pod_ledger.hpp"

#include <utility>

#include "lifecycle/decision_record.hpp"

namespace berth::lifecycle {

void PodLedger::planned(const PlanInput& input, const Plan& plan) {
  if (ledger_ == nullptr) return;
  if (worth_recording(plan, plan_ ? &*plan_ : nullptr))
    ledger_->write(plan_record(input, plan, recorded_pod_json(input.pod)));
  plan_ = plan;
}

void PodLedger::stopping(const StopsInput& input, const TerminationStep& step, WallTime at) {
  if (ledger_ == nullptr) return;
  if (worth_recording(step, step_ ? &*step_ : nullptr))
    ledger_->write(stops_record(input, step, at, recorded_pod_json(input.pod)));
  step_ = step;
}

void PodLedger::judged(const AdmissionInput& input, const node::Admission& admission, WallTime at) {
  if (ledger_ == nullptr) return;
  ledger_->write(admission_record(input, admission, at, recorded_pod_json(input.pod)));
}

void PodLedger::phase_decided(const PhaseQuestion& question, const PhaseDecision& decision,
                              WallTime at) {
  if (ledger_ == nullptr) return;
  ledger_->write(phase_record(question, decision, at));
}

void PodLedger::grace_decided(const GraceQuestion& question, const GraceDecision& decision,
                              WallTime at) {
  if (ledger_ == nullptr || decision.seconds == question.previous) return;
  ledger_->write(grace_record(question, decision, at));
}

void PodLedger::happened(const api::Pod& pod, WallTime at, std::string action,
                         std::string container, std::string text) {
  if (ledger_ == nullptr) return;
  ledger_->write(fact_record(pod, at, std::move(action), std::move(container), std::move(text)));
}

}  // namespace berth::lifecycle
