// SPDX-License-Identifier: Apache-2.0

#include "agent/events/event_correlator.hpp"

#include <algorithm>
#include <functional>

#include <boost/container_hash/hash.hpp>

namespace berth::agent {
namespace {

// Makes room for one more by dropping the least recently used entry.
template <class Map>
void make_room(Map& map, std::size_t limit) {
  while (!map.empty() && map.size() >= limit) {
    const auto oldest =
        std::ranges::min_element(map, {}, [](const auto& entry) { return entry.second.last; });
    map.erase(oldest);
  }
}

std::size_t hash_of(const api::ObjectReference& about) {
  std::size_t hash = 0;
  boost::hash_combine(hash, about.kind);
  boost::hash_combine(hash, about.namespace_);
  boost::hash_combine(hash, about.name);
  boost::hash_combine(hash, about.uid);
  return hash;
}

}  // namespace

bool EventCorrelator::combines(const api::ObjectReference& about, const std::string& type,
                               const std::string& reason, const std::string& message,
                               WallTime now) {
  Hash key = hash_of(about);
  boost::hash_combine(key, type);
  boost::hash_combine(key, reason);
  auto known = similar_.find(key);
  if (known == similar_.end()) {
    make_room(similar_, numbers_.remembered);
    known = similar_.emplace(key, Similar{.last = now}).first;
  }
  Similar& similar = known->second;
  if (now - similar.last > numbers_.similar_within) similar.messages.clear();
  similar.last = now;
  const Hash said = std::hash<std::string>{}(message);
  if (std::ranges::find(similar.messages, said) == similar.messages.end()) {
    similar.messages.push_back(said);
  }
  if (similar.messages.size() < numbers_.similar_max) return false;
  // The count stays just below the limit, so that the next new message is combined as well.
  similar.messages.erase(similar.messages.begin());
  return true;
}

bool EventCorrelator::allows(const api::ObjectReference& about, WallTime now) {
  const Hash key = hash_of(about);
  auto known = budgets_.find(key);
  if (known == budgets_.end()) {
    make_room(budgets_, numbers_.remembered);
    known = budgets_.emplace(key, Budget{.left = numbers_.burst, .last = now}).first;
  }
  Budget& budget = known->second;
  // A wall clock that was set back adds nothing to the budget.
  const std::chrono::duration<double> waited = std::max(now - budget.last, Nanoseconds::zero());
  const std::chrono::duration<double> price = numbers_.one_more_every;
  budget.left = std::min(numbers_.burst, budget.left + waited / price);
  budget.last = now;
  if (budget.left < 1) return false;
  budget.left -= 1;
  return true;
}

}  // namespace berth::agent
