#include "lifecycle/retry_table.hpp"

#include <algorithm>

namespace berth::lifecycle {

void RetryTable::failed(const std::string& key, SteadyTime now) {
  Entry& entry = entries_[key];
  entry.delay = entry.delay == Nanoseconds::zero()
                    ? Nanoseconds(kFirst)
                    : std::min<Nanoseconds>(entry.delay * 2, kCeiling);
  entry.at = now + entry.delay;
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
