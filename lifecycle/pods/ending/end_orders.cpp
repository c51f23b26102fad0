// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/ending/end_orders.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "lifecycle/pods/ending/pod_departure.hpp"
#include "lifecycle/pods/ending/pod_successors.hpp"
#include "lifecycle/pods/pod_launcher.hpp"
#include "lifecycle/pods/pod_occupancy.hpp"
#include "lifecycle/pods/pod_publisher.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

EndOrders::EndOrders(PodSetParts& parts, const PodOccupancy& occupancy, PodPublisher& publisher,
                     PodSuccessors& successors, PodDeparture& departure, PodLauncher& launcher)
    : services_(parts.services),
      tasks_(parts.tasks),
      records_(parts.records),
      verdicts_(parts.verdicts),
      unclaimed_(parts.unclaimed),
      occupancy_(occupancy),
      publisher_(publisher),
      successors_(successors),
      departure_(departure),
      launcher_(launcher) {}

bool EndOrders::order(const std::string& uid, const Ending& ending) {
  PodRecord* const found_record = records_.find(uid);
  if (found_record == nullptr) return false;
  PodRecord& record = *found_record;
  if (hides(ending)) publisher_.hide(record);
  if (by_force(ending)) successors_.create(record);
  // This berthd has not begun a pod that waits for its name; an earlier one may have.
  if (!record.worker) {
    if (auto found = unclaimed_.claim(uid)) record.leftovers = *std::move(found);
  }
  if (!record.worker && occupancy_.is_placed(record))
    launcher_.launch(record, std::move(record.leftovers), verdicts_.memory_of(uid));
  if (!record.worker) return end_without_worker(record, ending);
  const WorkerState state = record.worker->state();
  const bool over = state != WorkerState::kSyncing && state != WorkerState::kEnding;
  if (over && !removes(ending)) return false;
  PodOrders orders;
  orders.end = record.ending ? merge(with_period(*record.ending), ending) : ending;
  record.ending.reset();
  record.worker->post(std::move(orders));
  return true;
}

// Nothing of the pod runs, so there is nothing to keep.
bool EndOrders::end_without_worker(PodRecord& record, const Ending& ending) {
  if (!removes(ending)) return false;
  const bool first = !record.ending;
  // Both operands are views: with a string and "" the result would be a view of a temporary.
  const std::string_view phase = record.shown ? std::string_view(record.shown->status.phase) : "";
  record.ending = in_force(*record.pod, record.ending, as_given(ending, record.ending, phase)).end;
  const std::string& uid = record.pod->metadata.uid;
  services_.admission->withdraw(uid, services_.clock->steady_now());
  // Not at once: the set must not change during the caller's turn.
  if (first) tasks_.spawn("end of " + uid, departure_.remove_without_worker(uid));
  return true;
}

bool EndOrders::is_collected(const std::string& uid) const {
  const PodRecord* record = records_.find(uid);
  if (record == nullptr) return false;
  const std::optional<EndInForce> end = end_of(*record);
  if (end) return end->ending.cause == EndCause::kCollected;
  // While another pod has its name, only the store has what became of it.
  if (record->state == RecordState::kWaiting) return verdicts_.is_collected(*record->pod);
  return record->state == RecordState::kCollected;
}

bool EndOrders::is_to_be_removed(const std::string& uid) const {
  const PodRecord* record = records_.find(uid);
  if (record == nullptr) return false;
  const std::optional<EndInForce> end = end_of(*record);
  return end && removes(end->ending) && end->ending.cause != EndCause::kCollected;
}

}  // namespace berth::lifecycle
