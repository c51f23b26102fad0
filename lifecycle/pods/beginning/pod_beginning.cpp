// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/pod_beginning.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "lifecycle/in_hand.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"
#include "lifecycle/pods/beginning/admission_driver.hpp"
#include "lifecycle/pods/beginning/pod_adoption.hpp"
#include "lifecycle/pods/beginning/pod_holds.hpp"
#include "lifecycle/pods/beginning/pod_names.hpp"
#include "lifecycle/pods/ending/end_orders.hpp"
#include "lifecycle/pods/pod_launcher.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "node/sandbox_config.hpp"

namespace berth::lifecycle {

PodBeginning::PodBeginning(PodSetParts& parts, PodPublisher& publisher, PodLauncher& launcher,
                           PodHolds& holds, EndOrders& orders, AdmissionDriver& admission,
                           PodAdoption& adoption)
    : services_(parts.services),
      options_(parts.options),
      records_(parts.records),
      verdicts_(parts.verdicts),
      cleanup_(parts.cleanup),
      unclaimed_(parts.unclaimed),
      publisher_(publisher),
      launcher_(launcher),
      holds_(holds),
      orders_(orders),
      admission_(admission),
      adoption_(adoption) {}

void PodBeginning::begin_waiting(int& changes) {
  std::vector<PodRecord*> waiting;
  for (const auto& [uid, record] : records_)
    if (record->state == RecordState::kWaiting && !record->ending) waiting.push_back(record.get());
  // Admitted pods keep their room before any new pod asks for some, whatever its priority.
  std::ranges::sort(waiting, {}, [this](const PodRecord* record) {
    return std::pair(!was_let_in(*record), record->sequence);
  });
  if (waiting.empty()) return;
  const PodNames names(records_);
  for (PodRecord* record : waiting) {
    if (changes == 0) return;
    const std::string& uid = record->pod->metadata.uid;
    if (!names.is_taken(*record, unclaimed_.contains(uid)) && !cleanup_.is_under_way(uid)) {
      --changes;
      begin(*record);
    } else if (!record->shown && !names.is_shown(*record, verdicts_.memory_of(uid) != nullptr)) {
      --changes;
      // Its name is free, but the pod that had it is still being stopped.
      publisher_.show_pending(*record->pod);
    }
  }
}

void PodBeginning::begin(PodRecord& record) {
  const PodPtr pod = record.pod;
  const Handling handling(services_.in_hand, handled_as(*pod));
  std::optional<ListedPod> found = unclaimed_.claim(pod->metadata.uid);
  const bool had = found.has_value();
  ListedPod listed = std::move(found).value_or(ListedPod{});
  PodMemoryPtr memory = verdicts_.memory_of(pod->metadata.uid);
  if (memory && memory->verdict == Verdict::kCollected && had)
    memory = to_be_collected(*memory, services_.clock->wall_now());
  if (memory && is_edited(*memory->pod, *pod)) {
    if (had || memory->verdict == Verdict::kNone)
      return replace_found(record, std::move(listed), memory);
    // Nothing is left of the pod to which the verdict applied.
    verdicts_.drop(pod->metadata.uid);
    memory.reset();
  }
  // An ordered end continues, whatever prevents the pod from beginning.
  const bool ends =
      memory && memory->end && (removes(memory->end) || memory->verdict == Verdict::kNone);
  if (!ends && holds_.hold_if_not_run_here(record, listed)) return;
  if (!ends && memory && memory->verdict == Verdict::kCollected) {
    record.state = RecordState::kCollected;
    record.hidden = true;
    return;
  }
  if (!ends && memory && memory->verdict == Verdict::kRejected) {
    record.state = RecordState::kRejected;
    assign_to_node(record, options_.node_name);
    auto shown = std::make_shared<api::Pod>(*record.pod);
    shown->status = memory->status;
    publisher_.publish(pod->metadata.uid, shown);
    if (had) adoption_.adopt_remains(record, std::move(listed));
    return;
  }
  if (had && !memory && pod->metadata.annotations.contains(node::kAnnotationAdopted))
    report_takeover(*pod);
  if (!had && !memory) return admission_.want(record);
  launcher_.launch(record, std::move(listed), memory);
}

// The manifest was edited while no berthd was running: the old pod ends as it is.
void PodBeginning::replace_found(PodRecord& record, ListedPod listed, PodMemoryPtr memory) {
  const std::string uid = record.pod->metadata.uid;
  record.pod = memory->pod;
  launcher_.launch(record, std::move(listed), std::move(memory));
  orders_.order(uid, manifest_removed(services_.clock->wall_now()));
}

// Reported once: from then on the store has it.
void PodBeginning::report_takeover(const api::Pod& pod) {
  const std::string how =
      "it keeps its uid, no container restarts, and admission does not check it again";
  services_.log->info("TakenOver", "taken over from a kubelet: " + how,
                      {{"NAMESPACE", pod.metadata.namespace_},
                       {"POD", pod.metadata.name},
                       {"POD_UID", pod.metadata.uid}});
  PodLedger(services_.ledger)
      .happened(pod, services_.clock->wall_now(), {}, Remark{"TakenOver", how});
}

// A pod that has containers, or is remembered, was admitted once and does not go through admission
// again.
bool PodBeginning::was_let_in(const PodRecord& record) const {
  return unclaimed_.contains(record.pod->metadata.uid) || verdicts_.remembers(*record.pod);
}

}  // namespace berth::lifecycle
