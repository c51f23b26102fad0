// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_publisher.hpp"

#include <cstdint>
#include <memory>

#include "lifecycle/pods/pod_occupancy.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/status/pod_status.hpp"

namespace berth::lifecycle {

PodPublisher::PodPublisher(PodSetParts& parts, const PodOccupancy& occupancy)
    : options_(parts.options),
      sink_(parts.services.sink),
      records_(parts.records),
      views_(parts.views),
      readiness_(parts.readiness),
      collection_(parts.collection),
      occupancy_(occupancy) {}

void PodPublisher::publish(const std::string& uid, const PodPtr& pod) {
  PodRecord* record = records_.find(uid);
  if (record == nullptr || record->unknown) return;
  readiness_.note_seen(uid);
  const ChangeType type = record->shown ? ChangeType::kModified : ChangeType::kAdded;
  record->shown = pod;
  if (record->hidden) return;
  if (sink_ != nullptr) sink_->published(pod);
  views_.publish(type, pod);
  if (is_terminal_phase(pod->status.phase)) look_for_finished();
}

void PodPublisher::show_pending(const api::Pod& pod) {
  auto shown = std::make_shared<api::Pod>(pod);
  shown->status = pending_status("", "", qos_of(pod));
  publish(pod.metadata.uid, shown);
}

void PodPublisher::hide(PodRecord& record) {
  if (record.hidden) return;
  if (!occupancy_.is_placed(record) && record.shown &&
      !is_terminal_phase(record.shown->status.phase)) {
    auto failed = std::make_shared<api::Pod>(*record.shown);
    failed->status.phase = kFailed;
    record.shown = failed;
    if (sink_ != nullptr) sink_->published(failed);
    views_.publish(ChangeType::kModified, failed);
  }
  record.hidden = true;
  if (record.shown) views_.publish(ChangeType::kDeleted, record.shown);
}

void PodPublisher::publish_removed(const PodRecord& record) {
  if (!record.shown) return;
  if (sink_ != nullptr) sink_->removed(record.shown);
  if (!record.hidden) views_.publish(ChangeType::kDeleted, record.shown);
}

// In a turn of its own: the set must not change while a pod is being published.
void PodPublisher::look_for_finished() {
  const std::int64_t kept = options_.terminated_pods_kept;
  if (kept <= 0 || records_.size() <= static_cast<std::size_t>(kept)) return;
  collection_.request();
}

}  // namespace berth::lifecycle
