// SPDX-License-Identifier: Apache-2.0

// Which pod owns a name, and which ones wait for it: one pod at a time runs under a name.
//
// A view of the current records, created anew when records are added or removed. Pure; the records
// outlive it.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "lifecycle/pods/pod_records.hpp"

namespace berth::lifecycle {

class PodNames {
 public:
  explicit PodNames(const PodRecords& records);

  // Whether another pod owns the name, or arrived earlier. `goes_on`: the runtime already has the
  // pod; then pods that only the runtime knows do not count, because they are being ended.
  [[nodiscard]] bool is_taken(const PodRecord& record, bool goes_on) const;
  // The same, counting only pods that are shown to anybody. `known`: an earlier berthd has already
  // shown the pod itself. Then a pod that only the runtime knows counts, too, because showing
  // Pending would revert that status.
  [[nodiscard]] bool is_shown(const PodRecord& record, bool known) const;

 private:
  using Name = std::pair<std::string, std::string>;  // namespace, name

  std::multimap<Name, const PodRecord*> records_{};
};

}  // namespace berth::lifecycle
