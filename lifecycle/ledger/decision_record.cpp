#include "lifecycle/ledger/decision_record.hpp"

#include <utility>

namespace berth::lifecycle {
namespace {

LedgerRecord record_about(const api::Pod& pod, WallTime at, std::string_view kind) {
  LedgerRecord record;
  record.at = at;
  record.uid = pod.metadata.uid;
  record.namespace_ = pod.metadata.namespace_;
  record.pod = pod.metadata.name;
  record.kind = kind;
  return record;
}

LedgerRecord decision_record(const api::Pod& pod, WallTime at, std::string_view kind,
                             Reasons reasons, std::string input, std::string output) {
  LedgerRecord record = record_about(pod, at, kind);
  record.reasons = std::move(reasons);
  record.input = std::move(input);
  record.output = std::move(output);
  return record;
}

bool is_quiet(const Plan& plan) {
  return !plan.deadline_exceeded && plan.refusals.empty() && is_idle(plan.actions);
}

bool is_quiet(const TerminationStep& step) {
  return step.stop_now.empty() && step.give_up_hook.empty() && !step.look_again_at;
}

}  // namespace

LedgerRecord plan_record(const PlanInput& input, const Plan& plan) {
  LedgerRecord record = decision_record(input.pod, input.now, kLedgerPlan, plan.actions.reasons,
                                        input_json(input), output_json(plan));
  record.next = plan.look_again_at;
  return record;
}

LedgerRecord stops_record(const StopsInput& input, const TerminationStep& step, WallTime at) {
  LedgerRecord record = decision_record(input.pod, at, kLedgerStops, step.reasons,
                                        input_json(input), output_json(step));
  if (step.look_again_at) record.next = at + (*step.look_again_at - input.now);
  return record;
}

LedgerRecord admission_record(const AdmissionInput& input, const node::Admission& admission,
                              WallTime at) {
  return decision_record(input.pod, at, kLedgerAdmission, admission_reasons(admission),
                         input_json(input), output_json(admission));
}

LedgerRecord phase_record(const PhaseQuestion& question, const PhaseDecision& decision,
                          WallTime at) {
  return decision_record(question.pod, at, kLedgerPhase, {phase_reason(question, decision)},
                         input_json(question), output_json(decision));
}

LedgerRecord grace_record(const GraceQuestion& question, const GraceDecision& decision,
                          WallTime at) {
  return decision_record(question.pod, at, kLedgerGrace, grace_reasons(question, decision),
                         input_json(question), output_json(decision));
}

LedgerRecord image_record(const ImageQuestion& question, const ImageDecision& decision,
                          WallTime at) {
  return decision_record(question.pod, at, kLedgerImage, {image_reason(question, decision)},
                         input_json(question), output_json(decision));
}

LedgerRecord pre_stop_record(const PreStopQuestion& question, const PreStopStep& step,
                             WallTime at) {
  return decision_record(question.pod, at, kLedgerPreStop, {pre_stop_reason(question, step)},
                         input_json(question), output_json(step));
}

LedgerRecord deletion_record(const DeletionQuestion& question, const DeletionPeriod& period,
                             WallTime at) {
  return decision_record(question.pod, at, kLedgerDeletion, {deletion_reason(question, period)},
                         input_json(question), output_json(period));
}

LedgerRecord collection_record(const CollectionQuestion& question,
                               const CollectionDecision& decision, WallTime at) {
  return decision_record(question.pod, at, kLedgerCollection, {collection_reason(question)},
                         input_json(question), output_json(decision));
}

LedgerRecord loss_record(const LossQuestion& question, const LossDecision& decision, WallTime at) {
  return decision_record(question.pod, at, kLedgerLoss, {loss_reason(question, decision)},
                         input_json(question), output_json(decision));
}

LedgerRecord fact_record(const api::Pod& pod, WallTime at, std::string action,
                         std::string container, std::string text) {
  LedgerRecord record = record_about(pod, at, kLedgerFact);
  if (container.empty()) container = "pod";
  record.reasons.push_back(
      Reason{.subject = std::move(container), .rule = std::move(action), .text = std::move(text)});
  return record;
}

Reasons admission_reasons(const node::Admission& admission) {
  Reasons reasons;
  for (const std::string& failure : admission.failures) {
    reasons.push_back(Reason{.subject = "pod", .rule = admission.reason, .text = failure});
  }
  return reasons;
}

bool worth_recording(const Plan& plan, const Plan* last) {
  if (last == nullptr) return !is_quiet(plan);
  if (*last == plan) return false;
  // After a start or a kill the quiet that follows is what was meant; after a wait it is news.
  return !is_quiet(plan) || !last->refusals.empty();
}

bool worth_recording(const TerminationStep& step, const TerminationStep* last) {
  if (is_quiet(step)) return false;
  if (last == nullptr) return true;
  return step.stop_now != last->stop_now || step.give_up_hook != last->give_up_hook ||
         step.look_again_at != last->look_again_at;
}

}  // namespace berth::lifecycle
