#include "agent/event_correlator.hpp"

#include <algorithm>
#include <functional>

namespace berth::agent {
namespace {

// Makes room for one more by forgetting what was heard of least recently.
template <class Map>
void make_room(Map& map, std::size_t limit) {
  while (!map.empty() && map.size() >= limit) {
    const auto oldest =
        std::ranges::min_element(map, {}, [](const auto& entry) { return entry.second.last; });
    map.erase(oldest);
  }
}

}  // namespace

EventCorrelator::ObjectKey EventCorrelator::key_of(const api::ObjectReference& about) {
  return {about.kind, about.namespace_, about.name, about.uid};
}

bool EventCorrelator::combines(const api::ObjectReference& about, const std::string& type,
                               const std::string& reason, const std::string& message,
                               WallTime now) {
  const SimilarKey key{key_of(about), {type, reason}};
  auto known = similar_.find(key);
  if (known == similar_.end()) {
    make_room(similar_, numbers_.remembered);
    known = similar_.emplace(key, Similar{.last = now}).first;
  }
  Similar& similar = known->second;
  if (now - similar.last > numbers_.similar_within) similar.messages.clear();
  similar.last = now;
  similar.messages.insert(std::hash<std::string>{}(message));
  if (similar.messages.size() < numbers_.similar_max) return false;
  // The number stays just below, so that the next new message combines as well.
  similar.messages.erase(similar.messages.begin());
  return true;
}

bool EventCorrelator::allows(const api::ObjectReference& about, WallTime now) {
  const ObjectKey key = key_of(about);
  auto known = budgets_.find(key);
  if (known == budgets_.end()) {
    make_room(budgets_, numbers_.remembered);
    known = budgets_.emplace(key, Budget{.left = numbers_.burst, .last = now}).first;
  }
  Budget& budget = known->second;
  // A wall clock that was set back earns nothing.
  const std::chrono::duration<double> waited = std::max(now - budget.last, Nanoseconds::zero());
  const std::chrono::duration<double> price = numbers_.one_more_every;
  budget.left = std::min(numbers_.burst, budget.left + waited / price);
  budget.last = now;
  if (budget.left < 1) return false;
  budget.left -= 1;
  return true;
}

}  // namespace berth::agent
