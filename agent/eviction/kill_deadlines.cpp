// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/kill_deadlines.hpp"

#include <algorithm>

namespace berth::agent {

std::vector<std::string> KillDeadlines::awaited() const {
  std::vector<std::string> uids;
  for (const auto& [uid, deadline] : until_) uids.push_back(uid);
  return uids;
}

std::vector<std::string> KillDeadlines::newly_late(SteadyTime now) {
  std::vector<std::string> late;
  for (const auto& [uid, deadline] : until_)
    if (deadline <= now) late.push_back(uid);
  for (const std::string& uid : late) until_.erase(uid);
  return late;
}

std::optional<SteadyTime> KillDeadlines::next() const {
  if (until_.empty()) return std::nullopt;
  return std::ranges::min_element(until_, {}, [](const auto& entry) { return entry.second; })
      ->second;
}

}  // namespace berth::agent
