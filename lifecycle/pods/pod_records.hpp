// SPDX-License-Identifier: Apache-2.0

// The pods that the node has, wished or not: one record for each incarnation, by uid.
//
// Owns the records; a pointer or reference to one is good until that record is removed. Loop thread
// only.
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

  // A record for a pod that has just come; `add` puts it among the others.
  [[nodiscard]] std::unique_ptr<PodRecord> make(PodPtr pod);
  // Its uid is not there yet.
  PodRecord& add(std::unique_ptr<PodRecord> record);
  // Null if there is none.
  [[nodiscard]] std::unique_ptr<PodRecord> remove(const std::string& uid);

  [[nodiscard]] bool contains(const std::string& uid) const { return records_.contains(uid); }
  // Null if there is none.
  [[nodiscard]] PodRecord* find(const std::string& uid) const;
  [[nodiscard]] PodRecord& at(const std::string& uid) const { return *records_.at(uid); }
  // The pod's that has the name: the oldest one of those that are shown. Null if there is none.
  [[nodiscard]] PodRecord* find_named(const std::string& namespace_, const std::string& name) const;
  // Null where no worker has that pod.
  [[nodiscard]] PodWorker* worker_of(const std::string& uid) const;

  // Whether a pod of that uid is there, or something of it: of a collected one nothing is left.
  [[nodiscard]] bool lives(const std::string& uid) const;
  // Whether the store hears of that uid from the pod itself: it has a worker, or was refused.
  [[nodiscard]] bool speaks_for_itself(const std::string& uid) const;
  [[nodiscard]] bool is_rejected(const std::string& uid) const;
  // The same of this very pod: another one may have its uid by now.
  [[nodiscard]] bool stays_rejected(const PodPtr& pod) const;

  [[nodiscard]] ByUid::const_iterator begin() const { return records_.begin(); }
  [[nodiscard]] ByUid::const_iterator end() const { return records_.end(); }
  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  ByUid records_{};
  std::uint64_t arrivals_ = 0;
};

}  // namespace berth::lifecycle
