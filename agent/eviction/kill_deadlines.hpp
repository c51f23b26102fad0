// SPDX-License-Identifier: Apache-2.0

// Until when each evicted pod must have stopped, and which pods are late.
//
// Instants of the steady clock, passed in. A value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::agent {

class KillDeadlines {
 public:
  // A later order for the same pod starts a new wait.
  void ordered(const std::string& uid, SteadyTime deadline) {
    until_.insert_or_assign(uid, deadline);
  }
  void ended(const std::string& uid) { until_.erase(uid); }

  // The pods that are waited for, by uid.
  [[nodiscard]] std::vector<std::string> awaited() const;
  // The pods that are late: each is returned once for its order.
  [[nodiscard]] std::vector<std::string> newly_late(SteadyTime now);
  // The next instant at which a pod is late; unset if none is waited for.
  [[nodiscard]] std::optional<SteadyTime> next() const;

 private:
  std::map<std::string, SteadyTime> until_{};  // by uid
};

}  // namespace berth::agent
