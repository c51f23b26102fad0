#include "lifecycle/ledger/pod_ledger.hpp"

#include <utility>

#include "lifecycle/ledger/decision_record.hpp"

namespace berth::lifecycle {

void PodLedger::planned(const PlanInput& input, const Plan& plan) {
  if (ledger_ == nullptr) return;
  if (worth_recording(plan, plan_ ? &*plan_ : nullptr)) ledger_->write(plan_record(input, plan));
  plan_ = plan;
}

void PodLedger::stopping(const StopsInput& input, const TerminationStep& step, WallTime at) {
  if (ledger_ == nullptr) return;
  if (worth_recording(step, step_ ? &*step_ : nullptr))
    ledger_->write(stops_record(input, step, at));
  step_ = step;
}

void PodLedger::judged(const AdmissionInput& input, const node::Admission& admission, WallTime at) {
  if (ledger_ == nullptr) return;
  ledger_->write(admission_record(input, admission, at));
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

void PodLedger::image_decided(const ImageQuestion& question, const ImageDecision& decision,
                              WallTime at) {
  if (ledger_ == nullptr) return;
  Image image{.image = question.image, .policy = question.policy, .decision = decision};
  const auto [last, first] = images_.try_emplace(question.container, image);
  if (!first && last->second == image) return;
  last->second = std::move(image);
  ledger_->write(image_record(question, decision, at));
}

void PodLedger::pre_stop_decided(const PreStopQuestion& question, const PreStopStep& step,
                                 WallTime at) {
  // What becomes of one that was begun are facts.
  const PreStopSituation& situation = question.situation;
  if (ledger_ == nullptr || !situation.has_hook || situation.known) return;
  const Hook hook{.stop_began = situation.stop_began, .step = step};
  const auto [last, first] = pre_stops_.try_emplace(question.container, hook);
  if (!first && last->second == hook) return;
  last->second = hook;
  ledger_->write(pre_stop_record(question, step, at));
}

void PodLedger::deletion_decided(const DeletionQuestion& question, const DeletionPeriod& period,
                                 WallTime at) {
  if (ledger_ == nullptr) return;
  ledger_->write(deletion_record(question, period, at));
}

void PodLedger::collection_decided(const CollectionQuestion& question,
                                   const CollectionDecision& decision, WallTime at) {
  if (ledger_ == nullptr) return;
  ledger_->write(collection_record(question, decision, at));
}

void PodLedger::loss_decided(const LossQuestion& question, const LossDecision& decision,
                             WallTime at) {
  if (ledger_ == nullptr) return;
  ledger_->write(loss_record(question, decision, at));
}

void PodLedger::happened(const api::Pod& pod, WallTime at, std::string action,
                         std::string container, std::string text) {
  if (ledger_ == nullptr) return;
  ledger_->write(fact_record(pod, at, std::move(action), std::move(container), std::move(text)));
}

}  // namespace berth::lifecycle
