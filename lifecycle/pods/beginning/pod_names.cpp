// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/beginning/pod_names.hpp"

#include <algorithm>

namespace berth::lifecycle {
namespace {

bool is_before(const PodRecord& other, const PodRecord& record) {
  return other.state != RecordState::kWaiting || other.sequence < record.sequence;
}

}  // namespace

PodNames::PodNames(const PodRecords& records) {
  for (const auto& [uid, record] : records) {
    const auto& meta = record->pod->metadata;
    records_.emplace(Name(meta.namespace_, meta.name), record.get());
  }
}

bool PodNames::is_taken(const PodRecord& record, bool goes_on) const {
  const auto& meta = record.pod->metadata;
  const auto [first, last] = records_.equal_range({meta.namespace_, meta.name});
  return std::any_of(first, last, [&record, goes_on](const auto& entry) {
    const PodRecord& other = *entry.second;
    if (&other == &record) return false;
    if (goes_on && other.unknown) return false;
    return is_before(other, record);
  });
}

bool PodNames::is_shown(const PodRecord& record, bool known) const {
  const auto& meta = record.pod->metadata;
  const auto [first, last] = records_.equal_range({meta.namespace_, meta.name});
  return std::any_of(first, last, [&record, known](const auto& entry) {
    const PodRecord& other = *entry.second;
    if (&other == &record) return false;
    if (other.hidden || (other.unknown && !known)) return false;
    return is_before(other, record);
  });
}

}  // namespace berth::lifecycle
