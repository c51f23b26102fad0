// SPDX-License-Identifier: Apache-2.0

// Keeps a flood of events readable, as a cluster's event recorders do: which happenings are
// combined into one event for similar ones, and which are too many to be recorded at all.
//
// The numbers are client-go's (tools/record/events_cache.go): from the tenth different message of
// one type and reason about one object on, each within ten minutes of the previous one, they become
// one combined event; one object has a budget of 25 events and gains one every five minutes.
// Bounded: beyond the size of client-go's cache, the objects with the least recent events are
// forgotten. A plain container without clock or I/O. Loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/event.hpp"
#include "base/clock_types.hpp"

namespace berth::agent {

// The prefix of a combined event's message, in client-go's words.
inline constexpr std::string_view kCombinedMessage = "(combined from similar events): ";

struct EventCorrelation {
  std::size_t similar_max = 10;
  std::chrono::seconds similar_within = std::chrono::minutes(10);
  double burst = 25;
  std::chrono::seconds one_more_every = std::chrono::minutes(5);
  std::size_t remembered = 4096;
};

class EventCorrelator {
 public:
  explicit EventCorrelator(EventCorrelation numbers = {}) : numbers_(numbers) {}

  // Whether this one joins the combined event of its type and reason. Call for every happening.
  bool combines(const api::ObjectReference& about, const std::string& type,
                const std::string& reason, const std::string& message, WallTime now);
  // Whether the object has budget left; each true spends one.
  bool allows(const api::ObjectReference& about, WallTime now);

 private:
  // Hashes replace objects, objects with type and reason, and messages: the text of thousands of
  // them would be most of berthd's memory. Colliding ones share a budget.
  using Hash = std::size_t;
  struct Similar {
    std::vector<Hash> messages{};
    WallTime last{};
  };
  struct Budget {
    double left = 0;
    WallTime last{};
  };

  EventCorrelation numbers_;
  std::unordered_map<Hash, Similar> similar_{};
  std::unordered_map<Hash, Budget> budgets_{};
};

}  // namespace berth::agent
