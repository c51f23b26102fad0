// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/retry_table.hpp"

#include <algorithm>

namespace berth::lifecycle {

const RetryPace& pace_after(ErrorCode code) {
  const bool nobody_answered = code == ErrorCode::kUnavailable || code == ErrorCode::kTimeout ||
                               code == ErrorCode::kCancelled;
  return nobody_answered ? kHiccup : kRefusal;
}

void RetryTable::failed(const std::string& key, SteadyTime now, const RetryPace& pace) {
  Entry& entry = entries_[key];
  entry.delay = std::min(std::max(entry.delay * 2, pace.first), pace.ceiling);
  entry.at = now + entry.delay;
}

void RetryTable::clear(const std::string& prefix) {
  std::erase_if(entries_, [&prefix](const auto& entry) { return entry.first.starts_with(prefix); });
}

bool RetryTable::due(const std::string& key, SteadyTime now) const {
  const auto entry = entries_.find(key);
  return entry == entries_.end() || entry->second.at <= now;
}

std::optional<SteadyTime> RetryTable::next(SteadyTime now) const {
  std::optional<SteadyTime> earliest;
  for (const auto& [key, entry] : entries_)
    if (entry.at > now && (!earliest || entry.at < *earliest)) earliest = entry.at;
  return earliest;
}

}  // namespace berth::lifecycle
