// SPDX-License-Identifier: Apache-2.0

// Kubernetes Event objects: the latest ones, with repeats folded into a count and floods kept
// readable (event_correlator.hpp).
//
// Bounded by number and age; the oldest are dropped first. A plain container without clock or I/O:
// `now` is passed in. Loop thread only.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/events/event_correlator.hpp"
#include "api/event.hpp"
#include "api/pod.hpp"
#include "base/clock_types.hpp"

namespace berth::agent {

using EventPtr = std::shared_ptr<const api::Event>;

struct EventLimits {
  std::size_t count = 1000;
  std::chrono::seconds age = std::chrono::hours(1);  // an API server's --event-ttl
};

[[nodiscard]] api::ObjectReference reference_to(const api::Pod& pod, const std::string& field_path);
[[nodiscard]] api::ObjectReference reference_to_node(const std::string& node_name);

class EventStore {
 public:
  EventStore(std::string component, std::string node_name, EventLimits limits);

  struct Happening {
    bool warning = false;
    std::string reason{};
    std::string message{};
    api::ObjectReference about{};
    // For the event's metadata. A repeat does not change those of the first happening.
    std::map<std::string, std::string> annotations{};
  };

  [[nodiscard]] const std::string& node_name() const { return node_name_; }

  // The resulting event: a new one, or an old one with its count raised. Null if there were too
  // many about this object; a repeat is still counted, and shown with the next one that is
  // recorded.
  EventPtr record(const Happening& happening, WallTime now);

  // Continues from events of an earlier berthd, ordered by last time seen: a repeat of one of them
  // raises its count. Call before the first `record`.
  void restore(const std::vector<EventPtr>& events, WallTime now);

  // Ordered by last time seen.
  [[nodiscard]] std::vector<EventPtr> list() const;
  // About one pod, by its uid.
  [[nodiscard]] std::vector<EventPtr> about(const std::string& uid) const;

 private:
  static constexpr std::size_t kNumberDigits = 4;  // at the end of a name

  // The fields that two happenings of one event have in common: a view into the event, or into what
  // is to become one. An event that replaces another has the same key, so the index stays in order.
  // A copy beside each event would take half a megabyte for a thousand.
  using Key = std::array<std::string_view, 8>;
  struct Entry {
    EventPtr event{};
    std::int32_t unpublished = 0;  // repeats since it was last published
  };
  using Place = std::list<Entry>::iterator;
  struct ByKey {
    using is_transparent = void;
    bool operator()(Place left, Place right) const { return key_of(left) < key_of(right); }
    bool operator()(Place left, const Key& right) const { return key_of(left) < right; }
    bool operator()(const Key& left, Place right) const { return left < key_of(right); }
  };

  static Key key_of(const api::ObjectReference& about, std::string_view type,
                    std::string_view reason, std::string_view message);
  static Key key_of(Place place);
  static std::uint64_t number_of(const api::Event& event);
  [[nodiscard]] EventPtr new_event(const Happening& happening, std::string message,
                                   const api::Time& time);
  void trim(WallTime now);

  std::string component_;
  std::string node_name_;
  EventLimits limits_;
  EventCorrelator correlator_{};
  std::list<Entry> events_{};  // by last time seen
  std::set<Place, ByKey> index_{};
  std::uint64_t sequence_ = 0;
};

}  // namespace berth::agent
