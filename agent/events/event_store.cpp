// SPDX-License-Identifier: Apache-2.0

#include "agent/events/event_store.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace berth::agent {

api::ObjectReference reference_to(const api::Pod& pod, const std::string& field_path) {
  return {.kind = "Pod",
          .namespace_ = pod.metadata.namespace_,
          .name = pod.metadata.name,
          .uid = pod.metadata.uid,
          .apiVersion = "v1",
          .resourceVersion = "",
          .fieldPath = field_path};
}

api::ObjectReference reference_to_node(const std::string& node_name) {
  // As in the kubelet: a node's events are in "default", its uid is its name.
  return {.kind = "Node", .namespace_ = "", .name = node_name, .uid = node_name};
}

EventStore::EventStore(std::string component, std::string node_name, EventLimits limits)
    : component_(std::move(component)), node_name_(std::move(node_name)), limits_(limits) {}

// A combined event is identified by type and reason, whatever its last message was and which part
// it was about.
EventStore::Key EventStore::key_of(const api::ObjectReference& about, std::string_view type,
                                   std::string_view reason, std::string_view message) {
  const bool combined = message.starts_with(kCombinedMessage);
  const std::string_view path = about.fieldPath;
  return {about.kind,
          about.namespace_,
          about.name,
          about.uid,
          type,
          reason,
          combined ? std::string_view{} : path,
          combined ? kCombinedMessage : message};
}

EventStore::Key EventStore::key_of(Place place) {
  const api::Event& event = *place->event;
  return key_of(event.involvedObject, event.type, event.reason, event.message);
}

// The number at the end of an event's name, so that new names continue from it.
std::uint64_t EventStore::number_of(const api::Event& event) {
  const auto& name = event.metadata.name;
  const auto digits = name.size() < kNumberDigits ? name : name.substr(name.size() - kNumberDigits);
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return error == std::errc{} && end == digits.data() + digits.size() ? number : 0;
}

void EventStore::restore(const std::vector<EventPtr>& events, WallTime now) {
  // The newest name has the last number, which starts over after 0xffff.
  const api::Event* youngest = nullptr;
  for (const auto& event : events) {
    events_.push_back({.event = event});
    if (!index_.insert(std::prev(events_.end())).second) {
      events_.pop_back();
      continue;
    }
    if (youngest == nullptr || youngest->firstTimestamp <= event->firstTimestamp) {
      youngest = event.get();
    }
  }
  if (youngest != nullptr) sequence_ = number_of(*youngest);
  trim(now);
}

EventPtr EventStore::record(const Happening& happening, WallTime now) {
  const auto& about = happening.about;
  const std::string type = happening.warning ? "Warning" : "Normal";
  const bool combined = correlator_.combines(about, type, happening.reason, happening.message, now);
  std::string message = happening.message;
  if (combined) message.insert(0, kCombinedMessage);
  const bool allowed = correlator_.allows(about, now);
  const api::Time time{now};
  const auto known = index_.find(key_of(about, type, happening.reason, message));
  if (known != index_.end()) {
    Entry& entry = **known;
    entry.unpublished += 1;
    if (!allowed) return nullptr;
    auto again = std::make_shared<api::Event>(*entry.event);
    again->count += std::exchange(entry.unpublished, 0);
    again->lastTimestamp = time;
    again->message = std::move(message);
    entry.event = again;
    events_.splice(events_.end(), events_, *known);
    trim(now);
    return again;
  }
  if (!allowed) return nullptr;
  auto event = new_event(happening, std::move(message), time);
  events_.push_back({.event = event});
  index_.insert(std::prev(events_.end()));
  trim(now);
  return event;
}

EventPtr EventStore::new_event(const Happening& happening, std::string message,
                               const api::Time& time) {
  const auto& about = happening.about;
  auto event = std::make_shared<api::Event>();
  event->kind = "Event";
  event->apiVersion = "v1";
  event->metadata.namespace_ = about.namespace_.empty() ? "default" : about.namespace_;
  event->metadata.name =
      fmt::format("{}.{:x}{:04x}", about.name, time.at.time_since_epoch().count() / 1000,
                  ++sequence_ & 0xffffU);
  event->metadata.uid = event->metadata.name;
  event->metadata.creationTimestamp = time;
  event->metadata.annotations = happening.annotations;
  event->involvedObject = about;
  event->reason = happening.reason;
  event->message = std::move(message);
  event->source = {.component = component_, .host = node_name_};
  event->firstTimestamp = time;
  event->lastTimestamp = time;
  event->count = 1;
  event->type = happening.warning ? "Warning" : "Normal";
  event->reportingComponent = component_;
  event->reportingInstance = node_name_;
  return event;
}

std::vector<EventPtr> EventStore::list() const {
  std::vector<EventPtr> list;
  list.reserve(events_.size());
  for (const Entry& entry : events_) list.push_back(entry.event);
  return list;
}

std::vector<EventPtr> EventStore::about(const std::string& uid) const {
  std::vector<EventPtr> list;
  for (const Entry& entry : events_) {
    if (entry.event->involvedObject.uid == uid) list.push_back(entry.event);
  }
  return list;
}

void EventStore::trim(WallTime now) {
  const auto too_old = [&](const EventPtr& event) {
    return event->lastTimestamp && event->lastTimestamp->at + limits_.age < now;
  };
  while (events_.size() > limits_.count || (!events_.empty() && too_old(events_.front().event))) {
    index_.erase(events_.begin());
    events_.pop_front();
  }
}

}  // namespace berth::agent
