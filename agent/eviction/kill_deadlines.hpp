// SPDX-License-Identifier: Apache-2.0

// Until when each pod that was evicted is to be stopped, and which of them are late.
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
  // A later order for the same pod is waited for anew.
  void ordered(const std::string& uid, SteadyTime deadline) {
    until_.insert_or_assign(uid, deadline);
  }
  void ended(const std::string& uid) { until_.erase(uid); }

  // Those that are waited for, by uid.
  [[nodiscard]] std::vector<std::string> awaited() const;
  // Those whose time is over: each is returned once for its order.
  [[nodiscard]] std::vector<std::string> take_late(SteadyTime now);
  // The next instant at which somebody is late; unset: nobody is waited for.
  [[nodiscard]] std::optional<SteadyTime> next() const;

 private:
  std::map<std::string, SteadyTime> until_{};  // by uid
};

}  // namespace berth::agent
