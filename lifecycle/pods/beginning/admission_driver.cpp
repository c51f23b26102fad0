// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/admission_driver.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "lifecycle/admission/pressure_gate.hpp"
#include "lifecycle/admission/unschedulable.hpp"
#include "lifecycle/ledger/admission_question.hpp"
#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/pod_rejection.hpp"
#include "lifecycle/pods/ending/api_orders.hpp"
#include "lifecycle/pods/ending/disruption.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/pod_launcher.hpp"
#include "lifecycle/pods/pod_occupancy.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "node/confinement.hpp"

namespace berth::lifecycle {

AdmissionDriver::AdmissionDriver(PodSetParts& parts, const PodOccupancy& occupancy,
                                 PodPublisher& publisher, PodLauncher& launcher,
                                 PodRejection& rejection, EndOrders& orders, ApiOrders& api_orders)
    : services_(parts.services),
      options_(parts.options),
      records_(parts.records),
      verdicts_(parts.verdicts),
      reconcile_(parts.reconcile),
      occupancy_(occupancy),
      publisher_(publisher),
      launcher_(launcher),
      rejection_(rejection),
      orders_(orders),
      api_orders_(api_orders) {}

void AdmissionDriver::close(std::optional<Refusal> why) {
  closed_ = std::move(why);
  if (!closed_) reconcile_.soon();
}

void AdmissionDriver::want(PodRecord& record) {
  if (closed_) return rejection_.record_and_reject(record, *closed_);
  record.state = RecordState::kWanted;
  services_.admission->want(
      record.pod, verdicts_.was_preempted(*record.pod) ? WhenShort::kWaits : WhenShort::kIsRefused,
      services_.clock->steady_now());
  ask();
}

void AdmissionDriver::ask() {
  if (closed_) return;
  PodAdmission& admission = *services_.admission;
  while (admission.any_wanted()) {
    const SteadyTime now = services_.clock->steady_now();
    const auto answer = admission.next(occupancy_.occupants(), now, services_.clock->wall_now());
    if (!answer) break;
    carry_out(records_.at(answer->pod->metadata.uid), *answer);
  }
  for (const std::string& uid : admission.newly_late_victims(services_.clock->steady_now()))
    if (const PodRecord* victim = records_.find(uid)) report_late(*victim->pod);
  if (admission.any_wanted()) show_unanswered();
  if (const auto again = admission.look_again()) reconcile_.at(*again, "admission");
}

// Shows pods without an answer as Pending: they wait until the node has made room for another pod.
void AdmissionDriver::show_unanswered() {
  std::vector<PodPtr> unseen;
  for (const auto& [uid, record] : records_)
    if (record->state == RecordState::kWanted && !record->shown && !record->ending)
      unseen.push_back(record->pod);
  for (const PodPtr& pod : unseen) publisher_.show_pending(*pod);
}

void AdmissionDriver::carry_out(PodRecord& record, const AdmissionAnswer& answer) {
  if (answer.outcome == AdmissionOutcome::kUnschedulable) {
    show_unschedulable(record, answer);
    preempt(answer);
    return;
  }
  if (answer.outcome == AdmissionOutcome::kMakesRoom) return make_room(record, answer);
  const api::Pod& pod = *record.pod;
  if (const auto refused = services_.pressure ? services_.pressure->refusal(pod) : std::nullopt)
    return rejection_.record_and_reject(record, *refused);
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
    return answer.reason.empty()
               ? rejection_.reject(record, refusal.reason, refusal.message, decision)
               : rejection_.reject(record, answer.reason, answer.message, decision);
  }
  warn_about_unenforced(pod);
  if (answer.scheduled) {
    std::string message = fmt::format("Successfully assigned {}/{} to {}", pod.metadata.namespace_,
                                      pod.metadata.name, options_.node_name);
    services_.log->info("Scheduled", message, pod_fields(pod, decision));
    services_.events->record(pod, {.reason = "Scheduled", .message = std::move(message)});
  }
  launcher_.launch(record, {}, nullptr);
}

// Reports confinement that the pod requests and this machine cannot enforce: the pod runs, but
// nobody should believe that it is confined that way.
void AdmissionDriver::warn_about_unenforced(const api::Pod& pod) {
  const auto settings = node::unenforced_settings(services_.node->facts.confinement, pod);
  if (settings.empty()) return;
  const std::string record =
      PodLedger(services_.ledger)
          .happened(pod, services_.clock->wall_now(), {},
                    Remark{"NotEnforced", fmt::format("{}", fmt::join(settings, "; "))});
  for (const std::string& setting : settings) {
    services_.log->warn("NotEnforced", setting, pod_fields(pod, record));
    services_.events->record(
        pod, {.level = EventLevel::kWarning, .reason = "NotEnforced", .message = setting});
  }
}

void AdmissionDriver::show_unschedulable(PodRecord& record, const AdmissionAnswer& answer) {
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
  publisher_.publish(pod.metadata.uid, shown);
}

// Deletes the victims as anybody would: while their manifests exist, successors follow, and wait.
void AdmissionDriver::preempt(const AdmissionAnswer& answer) {
  for (const std::string& uid : answer.victims) {
    // By uid: a pod that waits for its name shares it with its predecessor.
    PodRecord& victim = records_.at(uid);
    if (end_of(victim)) continue;
    const std::string why = fmt::format("Preempted by pod {} on node {}", answer.pod->metadata.uid,
                                        answer.nominated_node);
    services_.log->info("Preempted", why, pod_fields(*victim.pod));
    services_.events->record(*victim.pod, {.reason = "Preempted", .message = why});
    static_cast<void>(api_orders_.delete_incarnation(
        victim, std::nullopt,
        {.target = preempted_condition(*victim.pod, answer.victim_message), .why = why}));
  }
}

// The node's own victims stay listed as Failed; the critical pod waits until they have ended.
void AdmissionDriver::make_room(PodRecord& record, const AdmissionAnswer& answer) {
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
    const std::string decision =
        ledger.happened(*victim, now, {}, Remark{ending.failure->reason, makes_room});
    services_.log->warn(ending.failure->reason, makes_room, pod_fields(*victim, decision));
    orders_.order(uid, ending);
  }
  const std::string why = fmt::format("the pod is critical, and waits for the end of {}: {}",
                                      fmt::join(names, ", "), answer.check.admission.message);
  const std::string action = "MakesRoom";
  record.last = {.at = now, .reason = {.subject = "pod", .rule = action, .text = why}};
  const std::string decision = ledger.happened(pod, now, {}, Remark{action, why});
  services_.log->info(action, why, pod_fields(pod, decision));
  publisher_.show_pending(pod);
}

void AdmissionDriver::report_late(const api::Pod& victim) {
  const std::string reason(kExceededGracePeriod);
  const std::string message(kExceededGracePeriodMessage);
  services_.events->record(victim,
                           {.level = EventLevel::kWarning, .reason = reason, .message = message});
  services_.log->warn(reason,
                      fmt::format("{}/{} was preempted and still runs; berthd keeps trying to stop "
                                  "it. {}",
                                  victim.metadata.namespace_, victim.metadata.name, message),
                      pod_fields(victim));
}

}  // namespace berth::lifecycle
