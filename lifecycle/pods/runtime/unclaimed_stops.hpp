// SPDX-License-Identifier: Apache-2.0

// Stops of containers and sandboxes that no worker knows yet: a stop can be reported before the
// call that created the container or sandbox has returned.
//
// The newest 256 are kept; of two reports for one id, the first. Pure.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "lifecycle/worker/mailbox.hpp"

namespace berth::lifecycle {

class UnclaimedStops {
 public:
  void add(const std::string& id, const StopNews& news);
  // Removes and returns what was reported for the id; unset if nothing was.
  [[nodiscard]] std::optional<StopNews> claim(const std::string& id);

 private:
  std::map<std::string, StopNews> stops_{};  // by id
  std::deque<std::string> order_{};          // ids, the oldest first
};

}  // namespace berth::lifecycle
