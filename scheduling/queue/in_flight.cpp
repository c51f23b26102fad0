// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/in_flight.hpp"

#include <algorithm>
#include <utility>

namespace berth::scheduling {

void InFlight::begin(QueuedPod pod) {
  const std::string uid = pod.pod->metadata.uid;
  pods_.insert_or_assign(uid,
                         Flight{.pod = std::move(pod), .first_event = first_ + events_.size()});
}

void InFlight::record(const ClusterEvent& event) {
  if (!pods_.empty()) events_.push_back(event);
}

QueuedPod* InFlight::find(const std::string& uid) {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second.pod;
}

void InFlight::mark_deleted(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) found->second.deleted = true;
}

bool InFlight::is_deleted(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found != pods_.end() && found->second.deleted;
}

void InFlight::mark_wanted(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) found->second.wanted = true;
}

bool InFlight::is_wanted(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found != pods_.end() && found->second.wanted;
}

std::vector<const ClusterEvent*> InFlight::events_for(const std::string& uid) const {
  std::vector<const ClusterEvent*> events;
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return events;
  for (std::uint64_t i = found->second.first_event - first_; i < events_.size(); ++i) {
    events.push_back(&events_[i]);
  }
  return events;
}

std::optional<QueuedPod> InFlight::end(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return std::nullopt;
  QueuedPod pod = std::move(found->second.pod);
  pods_.erase(found);
  forget_old_events();
  return pod;
}

void InFlight::forget_old_events() {
  std::uint64_t oldest = first_ + events_.size();
  for (const auto& [uid, flight] : pods_) oldest = std::min(oldest, flight.first_event);
  for (; first_ < oldest; ++first_) events_.pop_front();
}

std::vector<std::string> InFlight::names() const {
  std::vector<std::string> names;
  for (const auto& [uid, flight] : pods_) names.push_back(full_name_of(*flight.pod.pod));
  std::ranges::sort(names);
  return names;
}

}  // namespace berth::scheduling
