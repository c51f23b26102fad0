// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_occupancy.hpp"

#include <algorithm>

#include "lifecycle/pods/begin_order.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/worker/pod_worker.hpp"

namespace berth::lifecycle {

PodOccupancy::PodOccupancy(const PodSetParts& parts)
    : admission_(*parts.services.admission),
      desired_(parts.desired),
      records_(parts.records),
      views_(parts.views),
      unclaimed_(parts.unclaimed) {}

bool PodOccupancy::is_placed(const PodRecord& record) const {
  const ListedPod& left = record.leftovers;
  return record.worker || !left.sandboxes.empty() || !left.containers.empty() ||
         unclaimed_.contains(record.pod->metadata.uid);
}

std::vector<PodPtr> PodOccupancy::placed() const {
  std::vector<PodPtr> placed = views_.active();
  for (const auto& [uid, record] : records_)
    if (!record->worker && !record->unknown && !record->hidden && is_placed(*record))
      placed.push_back(shown_or_desired(*record));
  std::ranges::sort(placed, {}, [](const PodPtr& pod) { return pod->metadata.uid; });
  return placed;
}

Occupants PodOccupancy::occupants() const {
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

std::vector<RefusedToday> PodOccupancy::refused_today() const {
  std::vector<PodPtr> running;
  for (const auto& [uid, record] : records_) {
    if (!record->worker || record->unknown || record->worker->ending()) continue;
    // As it would arrive: its placement since then must not count.
    const auto desired = desired_.find(uid);
    running.push_back(desired == desired_.end() ? record->pod : desired->second);
  }
  std::ranges::sort(running, begins_before);
  return admission_.refused_today(running);
}

}  // namespace berth::lifecycle
