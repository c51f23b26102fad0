// SPDX-License-Identifier: Apache-2.0

// PodSet: admission of new pods, and which running ones it would refuse today.

#include "lifecycle/pods/pod_set.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "lifecycle/admission/pressure_gate.hpp"
#include "lifecycle/admission/unschedulable.hpp"
#include "lifecycle/ending.hpp"
#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/pods/begin_order.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

// Reported once: from then on the store has it.
void PodSet::report_takeover(const api::Pod& pod) {
  const std::string how =
      "it goes on under the uid that it had, no container is restarted, and it is not asked for "
      "admission again";
  services_.log->info("TakenOver", "taken over from a kubelet: " + how,
                      {{"NAMESPACE", pod.metadata.namespace_},
                       {"POD", pod.metadata.name},
                       {"POD_UID", pod.metadata.uid}});
  PodLedger(services_.ledger)
      .happened(pod, services_.clock->wall_now(), {}, Remark{"TakenOver", how});
}

std::vector<RefusedToday> PodSet::refused_today() const {
  std::vector<PodPtr> running;
  for (const auto& [uid, record] : records_) {
    if (!record->worker || record->unknown || record->worker->ending()) continue;
    // As it would arrive: its placement since then must not count.
    const auto wished = desired_.find(uid);
    running.push_back(wished == desired_.end() ? record->pod : wished->second);
  }
  std::ranges::sort(running, begins_before);
  return services_.admission->refused_today(running);
}

// As in the kubelet, a pod that only the runtime knows is being ended and takes up no room: no pod
// is refused for good because of one that is gone in a moment.
Occupants PodSet::occupants() const {
  Occupants occupants;
  for (const auto& [uid, record] : records_) {
    if (record->unknown || !is_placed(*record)) continue;
    const WorkerState state = record->worker ? record->worker->state() : WorkerState::kSyncing;
    if (state != WorkerState::kSyncing && state != WorkerState::kEnding) continue;
    occupants.push_back({.pod = record->pod,
                         .shown = record->shown,
                         .ending = end_of(*record) || state == WorkerState::kEnding});
  }
  return occupants;
}

// Assigns the pod to this node, visibly to everybody.
void PodSet::put_on_node(Record& record) const {
  if (record.unknown || !record.pod->spec.nodeName.empty()) return;
  auto placed = std::make_shared<api::Pod>(*record.pod);
  placed->spec.nodeName = options_.node_name;
  record.pod = std::move(placed);
}

void PodSet::left_node(const std::string& /*uid*/) {
  if (services_.admission->any_wanted()) reconcile_.soon();
}

void PodSet::close(std::optional<Refusal> why) {
  closed_ = std::move(why);
  if (!closed_) reconcile_.soon();
}

void PodSet::refuse(Record& record, const Refusal& why) {
  const std::string told =
      PodLedger(services_.ledger)
          .happened(*record.pod, services_.clock->wall_now(), {}, Remark{why.reason, why.message});
  reject(record, why.reason, why.message, told);
}

// A pod whose predecessor of the same name was preempted waits as long as there is no room for
// both.
void PodSet::want(Record& record) {
  if (closed_) return refuse(record, *closed_);
  record.state = RecordState::kWanted;
  services_.admission->want(
      record.pod, verdicts_.was_preempted(*record.pod) ? WhenShort::kWaits : WhenShort::kIsRefused,
      services_.clock->steady_now());
  ask_admission();
}

void PodSet::ask_admission() {
  if (closed_) return;
  PodAdmission& admission = *services_.admission;
  while (admission.any_wanted()) {
    const SteadyTime now = services_.clock->steady_now();
    const auto answer = admission.next(occupants(), now, services_.clock->wall_now());
    if (!answer) break;
    carry_out(records_.at(answer->pod->metadata.uid), *answer);
  }
  if (admission.any_wanted()) show_unanswered();
  if (const auto again = admission.look_again()) reconcile_.at(*again, "admission");
}

// Shows pods without an answer as Pending: they wait until the node has made room for another pod.
void PodSet::show_unanswered() {
  std::vector<PodPtr> unseen;
  for (const auto& [uid, record] : records_)
    if (record->state == RecordState::kWanted && !record->shown && !record->ending)
      unseen.push_back(record->pod);
  for (const PodPtr& pod : unseen) show_pending(*pod);
}

void PodSet::show_pending(const api::Pod& pod) {
  auto shown = std::make_shared<api::Pod>(pod);
  shown->status = pending_status("", "", qos_of(pod));
  publish(pod.metadata.uid, shown);
}

void PodSet::carry_out(Record& record, const AdmissionAnswer& answer) {
  if (answer.outcome == AdmissionOutcome::kUnschedulable) {
    show_unschedulable(record, answer);
    preempt(answer);
    return;
  }
  if (answer.outcome == AdmissionOutcome::kMakesRoom) return make_room(record, answer);
  const api::Pod& pod = *record.pod;
  if (const auto refused = services_.pressure ? services_.pressure->refusal(pod) : std::nullopt)
    return refuse(record, *refused);
  const NodeCheck& check = answer.check;
  AdmissionQuestion question{.config = check.view->config,
                             .host = check.view->facts.confinement,
                             .node = *check.node,
                             .pod = pod};
  for (const PodPtr& other : check.active) question.active.emplace_back(*other);
  const std::string decision =
      PodLedger(services_.ledger).decided(question, check.admission, services_.clock->wall_now());
  if (answer.outcome == AdmissionOutcome::kRefused) {
    const node::Admission& refusal = check.admission;
    return answer.reason.empty() ? reject(record, refusal.reason, refusal.message, decision)
                                 : reject(record, answer.reason, answer.message, decision);
  }
  warn_about_unenforced(pod);
  if (answer.scheduled) {
    std::string message = fmt::format("Successfully assigned {}/{} to {}", pod.metadata.namespace_,
                                      pod.metadata.name, options_.node_name);
    services_.log->info("Scheduled", message, pod_fields(pod, decision));
    services_.events->record(pod, {.reason = "Scheduled", .message = std::move(message)});
  }
  launch(record, {}, nullptr);
}

void PodSet::show_unschedulable(Record& record, const AdmissionAnswer& answer) {
  const api::Pod& pod = *record.pod;
  const WallTime now = services_.clock->wall_now();
  services_.events->record(pod, {.level = EventLevel::kWarning,
                                 .reason = "FailedScheduling",
                                 .message = answer.event_message});
  const api::PodStatus before = record.shown ? record.shown->status : pod.status;
  auto shown = std::make_shared<api::Pod>(pod);
  const Unschedulable why{
      .reason = answer.reason, .message = answer.message, .nominated_node = answer.nominated_node};
  shown->status = stamp_status(pod, before, unschedulable_status(pod, why, qos_of(pod)), now);
  shown->status.startTime.reset();  // no node has accepted it yet
  if (record.shown && same_status(before, shown->status)) return;
  record.last = {.at = now,
                 .reason = {.subject = "pod", .rule = answer.reason, .text = answer.message}};
  const std::string decision =
      PodLedger(services_.ledger).happened(pod, now, {}, Remark{answer.reason, answer.message});
  services_.log->warn("FailedScheduling", answer.message, pod_fields(pod, decision));
  publish(pod.metadata.uid, shown);
}

// Deletes the victims as anybody would: while their manifests exist, successors follow, and wait.
void PodSet::preempt(const AdmissionAnswer& answer) {
  for (const std::string& uid : answer.victims) {
    // By uid: a pod that waits for its name shares it with its predecessor.
    Record& victim = records_.at(uid);
    if (end_of(victim)) continue;
    const std::string why = fmt::format("Preempted by pod {} on node {}", answer.pod->metadata.uid,
                                        answer.nominated_node);
    services_.log->info("Preempted", why, pod_fields(*victim.pod));
    services_.events->record(*victim.pod, {.reason = "Preempted", .message = why});
    static_cast<void>(delete_incarnation(
        victim, std::nullopt,
        {.target = preempted_condition(*victim.pod, answer.victim_message), .why = why}));
  }
}

// The node's own victims stay listed as Failed; the critical pod waits until they have ended.
void PodSet::make_room(Record& record, const AdmissionAnswer& answer) {
  const api::Pod& pod = *record.pod;
  const WallTime now = services_.clock->wall_now();
  PodLedger ledger(services_.ledger);
  const Ending ending = preempted(now);
  std::vector<std::string> names;
  for (const std::string& uid : answer.victims) {
    const PodPtr victim = records_.at(uid).pod;
    names.push_back(fmt::format("{}/{}", victim->metadata.namespace_, victim->metadata.name));
    services_.events->record(*victim, {.level = EventLevel::kWarning,
                                       .reason = ending.failure->reason,
                                       .message = ending.failure->message});
    const std::string makes_room =
        fmt::format("it makes room for the critical pod {}/{} ({})", pod.metadata.namespace_,
                    pod.metadata.name, pod.metadata.uid);
    const std::string told =
        ledger.happened(*victim, now, {}, Remark{ending.failure->reason, makes_room});
    services_.log->warn(ending.failure->reason, makes_room, pod_fields(*victim, told));
    order(uid, ending);
  }
  const std::string why = fmt::format("the pod is critical, and waits for the end of {}: {}",
                                      fmt::join(names, ", "), answer.check.admission.message);
  const std::string action = "MakesRoom";
  record.last = {.at = now, .reason = {.subject = "pod", .rule = action, .text = why}};
  const std::string told = ledger.happened(pod, now, {}, Remark{action, why});
  services_.log->info(action, why, pod_fields(pod, told));
  show_pending(pod);
}

}  // namespace berth::lifecycle
