// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/pod_adoption.hpp"

#include <set>
#include <utility>

#include "lifecycle/ledger/pod_fields.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/adoption_decision.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/pod_launcher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"

namespace berth::lifecycle {

PodAdoption::PodAdoption(PodSetParts& parts, PodLauncher& launcher, EndOrders& orders)
    : services_(parts.services),
      desired_(parts.desired),
      records_(parts.records),
      verdicts_(parts.verdicts),
      unclaimed_(parts.unclaimed),
      reconcile_(parts.reconcile),
      launcher_(launcher),
      orders_(orders) {}

void PodAdoption::adopt_undesired() {
  std::set<std::string> undesired = verdicts_.undesired(desired_);
  for (const auto& [uid, listed] : unclaimed_.all())
    if (!desired_.contains(uid)) undesired.insert(uid);
  for (const std::string& uid : undesired)
    adopt_unknown(uid, unclaimed_.claim(uid).value_or(ListedPod{}));
}

void PodAdoption::adopt_unknown(const std::string& uid, ListedPod listed) {
  if (records_.contains(uid)) return;
  const PodMemoryPtr memory = verdicts_.memory_of(uid);
  auto record = records_.make(memory ? memory->pod : pod_from_listing(uid, listed));
  const WallTime now = services_.clock->wall_now();
  AdoptionQuestion question{.pod = *record->pod, .stored = memory != nullptr};
  if (memory && memory->end) question.ordered = memory->end->ending.cause;
  const AdoptionDecision decision = decide_adoption(question);
  const std::string recorded = PodLedger(services_.ledger).decided(question, decision, now);
  if (!memory)
    services_.log->warn("UnknownPod",
                        "the runtime has a pod that no manifest defines: berthd terminates it",
                        pod_fields(*record->pod, recorded));
  record->unknown = decision.cause == EndCause::kUnknownPod;
  const Ending ending = record->unknown ? unknown_pod(now) : manifest_removed(now);
  launcher_.launch(*record, std::move(listed), memory);
  records_.add(std::move(record));
  orders_.order(uid, ending);
}

void PodAdoption::adopt_remains(PodRecord& record, ListedPod listed) {
  const std::string& uid = record.pod->metadata.uid;
  // It is being removed without a worker; what is left of it then is an unknown pod's.
  if (record.ending) return;
  switch (record.state) {
    case RecordState::kWorking:
      return;
    case RecordState::kWanted:
      // It already has room here, and needs no admission.
      services_.admission->withdraw(uid, services_.clock->steady_now());
      record.state = RecordState::kWaiting;
      unclaimed_.keep(uid, std::move(listed));
      reconcile_.soon();
      return;
    case RecordState::kWaiting:
    case RecordState::kHeld:
      unclaimed_.keep(uid, std::move(listed));
      return;
    case RecordState::kRejected:
      // Not before the verdict is stored; the verdict stays, whatever becomes of these remains.
      if (record.shown)
        launcher_.launch(
            record, std::move(listed),
            verdicts_.verdict_on(record.shown, Verdict::kRejected, record.shown->status));
      return;
    case RecordState::kCollected:
      launcher_.launch(record, std::move(listed),
                       to_be_collected(*verdicts_.memory_of(uid), services_.clock->wall_now()));
      return;
  }
}

}  // namespace berth::lifecycle
