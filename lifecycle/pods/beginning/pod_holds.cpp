// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/pod_holds.hpp"

#include <utility>

#include "lifecycle/in_hand.hpp"
#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/hold_decision.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/status/status_stamp.hpp"
#include "lifecycle/worker/pod_identity.hpp"

namespace berth::lifecycle {
namespace {

// A pod that killed berthds keeps its status.
api::PodStatus held_status(const HoldDecision& decision, const PodMemoryPtr& memory,
                           std::string qos) {
  const bool as_it_was = decision.cause == HoldCause::kBerthdDied && memory;
  api::PodStatus status = as_it_was ? memory->status : pending_status("", "", std::move(qos));
  status.reason = hold_word(decision.cause);
  status.message = decision.message;
  return status;
}

}  // namespace

PodHolds::PodHolds(const PodSetParts& parts, PodPublisher& publisher)
    : services_(parts.services),
      options_(parts.options),
      verdicts_(parts.verdicts),
      publisher_(publisher) {}

bool PodHolds::hold_if_not_run_here(PodRecord& record, ListedPod& listed) {
  const api::Pod& pod = *record.pod;
  const PodMemoryPtr memory = verdicts_.memory_of(pod.metadata.uid);
  const HoldQuestion question{
      .pod = pod,
      .node_name = options_.node_name,
      .deadly = services_.in_hand != nullptr && services_.in_hand->deadly(handled_as(pod)),
      .judged = memory && memory->verdict != Verdict::kNone};
  const HoldDecision decision = decide_hold(question);
  if (decision.cause == HoldCause::kNone) return false;
  record.leftovers = std::move(listed);
  const std::string recorded =
      PodLedger(services_.ledger).decided(question, decision, services_.clock->wall_now());
  hold(record, held_status(decision, memory, qos_of(pod)), recorded);
  return true;
}

void PodHolds::hold(PodRecord& record, api::PodStatus status, const std::string& decision) {
  record.state = RecordState::kHeld;
  assign_to_node(record, options_.node_name);
  const WallTime now = services_.clock->wall_now();
  record.last = {.at = now, .reason = {.subject = "pod", .rule = "Hold", .text = status.message}};
  services_.log->warn("NotRun", status.message, pod_fields(*record.pod, decision));
  services_.events->record(
      *record.pod,
      {.level = EventLevel::kWarning, .reason = status.reason, .message = status.message});
  status.conditions = record.pod->status.conditions;  // SchedulingGated, if it has gates
  auto shown = std::make_shared<api::Pod>(*record.pod);
  shown->status = stamp_status(*record.pod, record.pod->status, std::move(status), now);
  publisher_.publish(record.pod->metadata.uid, shown);
}

}  // namespace berth::lifecycle
