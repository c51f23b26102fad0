// SPDX-License-Identifier: Apache-2.0

// The pods of the node, desired or not: one record for each incarnation, by uid.
//
// Owns the records; a pointer or reference to a record is valid until that record is removed. A
// const reference to this object adds and removes none; the records themselves may be changed. Loop
// thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "lifecycle/pods/pod_record.hpp"

namespace berth::lifecycle {

class PodRecords {
 public:
  using ByUid = std::map<std::string, std::unique_ptr<PodRecord>>;

  PodRecords() = default;
  PodRecords(const PodRecords&) = delete;
  PodRecords& operator=(const PodRecords&) = delete;
  ~PodRecords() = default;

  // A record for a new pod; `add` inserts it.
  [[nodiscard]] std::unique_ptr<PodRecord> make(PodPtr pod);
  // No record with its uid may exist yet.
  PodRecord& add(std::unique_ptr<PodRecord> record);
  // Null if there is none.
  [[nodiscard]] std::unique_ptr<PodRecord> remove(const std::string& uid);

  [[nodiscard]] bool contains(const std::string& uid) const { return records_.contains(uid); }
  // Null if there is none.
  [[nodiscard]] PodRecord* find(const std::string& uid) const;
  [[nodiscard]] PodRecord& at(const std::string& uid) const { return *records_.at(uid); }
  // The record of the pod that owns the name: the oldest of those that are shown. Null if there is
  // none.
  [[nodiscard]] PodRecord* find_named(const std::string& namespace_, const std::string& name) const;
  // Null if that pod has no worker.
  [[nodiscard]] PodWorker* worker_of(const std::string& uid) const;

  // Whether a pod with that uid, or something of it, still exists; nothing is left of a collected
  // pod.
  [[nodiscard]] bool lives(const std::string& uid) const;
  // Whether the pod with that uid reports to the store itself: it has a worker, or was refused.
  [[nodiscard]] bool speaks_for_itself(const std::string& uid) const;
  [[nodiscard]] bool is_rejected(const std::string& uid) const;
  // The same for this very pod: another one may have its uid by now.
  [[nodiscard]] bool stays_rejected(const PodPtr& pod) const;

  [[nodiscard]] ByUid::const_iterator begin() const { return records_.begin(); }
  [[nodiscard]] ByUid::const_iterator end() const { return records_.end(); }
  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  ByUid records_{};
  std::uint64_t arrivals_ = 0;
};

}  // namespace berth::lifecycle
