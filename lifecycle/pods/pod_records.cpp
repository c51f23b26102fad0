// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/pod_records.hpp"

#include <utility>

#include "base/assertion.hpp"

namespace berth::lifecycle {

std::unique_ptr<PodRecord> PodRecords::make(PodPtr pod) {
  auto record = std::make_unique<PodRecord>();
  record->pod = std::move(pod);
  record->sequence = ++arrivals_;
  return record;
}

PodRecord& PodRecords::add(std::unique_ptr<PodRecord> record) {
  const std::string uid = record->pod->metadata.uid;
  const auto [entry, added] = records_.emplace(uid, std::move(record));
  assert_that(added, "a uid has one record", uid);
  return *entry->second;
}

std::unique_ptr<PodRecord> PodRecords::remove(const std::string& uid) {
  const auto entry = records_.find(uid);
  if (entry == records_.end()) return nullptr;
  std::unique_ptr<PodRecord> record = std::move(entry->second);
  records_.erase(entry);
  return record;
}

PodRecord* PodRecords::find(const std::string& uid) const {
  const auto entry = records_.find(uid);
  return entry == records_.end() ? nullptr : entry->second.get();
}

PodRecord* PodRecords::find_named(const std::string& namespace_, const std::string& name) const {
  PodRecord* oldest = nullptr;
  for (const auto& [uid, record] : records_) {
    if (record->unknown || record->hidden || record->pod->metadata.name != name ||
        record->pod->metadata.namespace_ != namespace_)
      continue;
    if (oldest == nullptr || record->sequence < oldest->sequence) oldest = record.get();
  }
  return oldest;
}

PodWorker* PodRecords::worker_of(const std::string& uid) const {
  const PodRecord* record = find(uid);
  return record == nullptr ? nullptr : record->worker.get();
}

bool PodRecords::lives(const std::string& uid) const {
  const PodRecord* record = find(uid);
  return record != nullptr && record->state != RecordState::kCollected;
}

bool PodRecords::speaks_for_itself(const std::string& uid) const {
  const PodRecord* record = find(uid);
  return record != nullptr &&
         (record->state == RecordState::kWorking || record->state == RecordState::kRejected);
}

bool PodRecords::is_rejected(const std::string& uid) const {
  const PodRecord* record = find(uid);
  return record != nullptr && record->state == RecordState::kRejected;
}

bool PodRecords::stays_rejected(const PodPtr& pod) const {
  const PodRecord* record = find(pod->metadata.uid);
  return record != nullptr && record->state == RecordState::kRejected && record->pod == pod;
}

}  // namespace berth::lifecycle
