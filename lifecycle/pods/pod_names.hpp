// SPDX-License-Identifier: Apache-2.0

// Which pod has a name, and which ones wait for it: one at a time runs under it.
//
// A view of the records as they are: it is made anew when records come or go. Pure; the records
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

  // Whether another pod has the name, or came earlier. `goes_on`: the runtime has the pod already,
  // so it goes on, whatever else of its name turns up and is ended.
  [[nodiscard]] bool is_taken(const PodRecord& record, bool goes_on) const;
  // The same, counting those that are shown to anybody. `known`: an earlier berthd has shown the
  // pod itself; a pod that the runtime alone knows then counts, too, as Pending would take that
  // back.
  [[nodiscard]] bool is_shown(const PodRecord& record, bool known) const;

 private:
  using Name = std::pair<std::string, std::string>;  // namespace, name

  std::multimap<Name, const PodRecord*> records_{};
};

}  // namespace berth::lifecycle
