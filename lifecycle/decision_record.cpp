#include "lifecycle/decision_record.hpp"

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

bool is_quiet(const Plan& plan) {
  return !plan.deadline_exceeded && plan.refusals.empty() && is_idle(plan.actions);
}

bool is_quiet(const TerminationStep& step) {
  return step.stop_now.empty() && step.give_up_hook.empty() && !step.look_again_at;
}

}  // namespace

LedgerRecord plan_record(const PlanInput& input, const Plan& plan, std::string_view pod_json) {
  LedgerRecord record = record_about(input.pod, input.now, kLedgerPlan);
  record.reasons = plan.actions.reasons;
  record.next = plan.look_again_at;
  record.input = input_json(input, pod_json);
  record.output = output_json(plan);
  return record;
}

LedgerRecord stops_record(const StopsInput& input, const TerminationStep& step, WallTime at,
                          std::string_view pod_json) {
  LedgerRecord record = record_about(input.pod, at, kLedgerStops);
  record.reasons = step.reasons;
  if (step.look_again_at) record.next = at + (*step.look_again_at - input.now);
  record.input = input_json(input, pod_json);
  record.output = output_json(step);
  return record;
}

LedgerRecord admission_record(const AdmissionInput& input, const node::Admission& admission,
                              WallTime at, std::string_view pod_json) {
  LedgerRecord record = record_about(input.pod, at, kLedgerAdmission);
  record.reasons = admission_reasons(admission);
  record.input = input_json(input, pod_json);
  record.output = output_json(admission);
  return record;
}

LedgerRecord phase_record(const PhaseQuestion& question, const PhaseDecision& decision,
                          WallTime at) {
  LedgerRecord record = record_about(question.pod, at, kLedgerPhase);
  record.reasons = {phase_reason(question, decision)};
  record.input = input_json(question);
  record.output = output_json(decision);
  return record;
}

LedgerRecord grace_record(const GraceQuestion& question, const GraceDecision& decision,
                          WallTime at) {
  LedgerRecord record = record_about(question.pod, at, kLedgerGrace);
  record.reasons = grace_reasons(question, decision);
  record.input = input_json(question);
  record.output = output_json(decision);
  return record;
}

LedgerRecord image_record(const ImageQuestion& question, const ImageDecision& decision,
                          WallTime at) {
  LedgerRecord record = record_about(question.pod, at, kLedgerImage);
  record.reasons = {image_reason(question, decision)};
  record.input = input_json(question);
  record.output = output_json(decision);
  return record;
}

LedgerRecord pre_stop_record(const PreStopQuestion& question, const PreStopStep& step,
                             WallTime at) {
  LedgerRecord record = record_about(question.pod, at, kLedgerPreStop);
  record.reasons = {pre_stop_reason(question, step)};
  record.input = input_json(question);
  record.output = output_json(step);
  return record;
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
