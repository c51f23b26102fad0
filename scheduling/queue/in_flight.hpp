// SPDX-License-Identifier: Apache-2.0

// The pods that are being scheduled, and the events that arrived meanwhile: a pod that returns
// unschedulable may have missed one of them.
//
// Pure. An event is kept as long as a pod is in flight that was popped before it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/queue/queued_pod.hpp"

namespace berth::scheduling {

class InFlight {
 public:
  void begin(QueuedPod pod);
  // For all pods in flight; dropped if there is none.
  void record(const ClusterEvent& event);
  [[nodiscard]] bool contains(const std::string& uid) const { return pods_.contains(uid); }
  // The pod's record for when it returns; null if it is not in flight.
  [[nodiscard]] QueuedPod* find(const std::string& uid);
  // The pod must not return.
  void mark_deleted(const std::string& uid);
  [[nodiscard]] bool is_deleted(const std::string& uid) const;
  // The pod is tried again when it returns, whatever happened.
  void mark_wanted(const std::string& uid);
  [[nodiscard]] bool is_wanted(const std::string& uid) const;
  // The events since it was popped. Valid until the next change.
  [[nodiscard]] std::vector<const ClusterEvent*> events_for(const std::string& uid) const;
  // Removes it.
  [[nodiscard]] std::optional<QueuedPod> end(const std::string& uid);

  [[nodiscard]] std::vector<std::string> names() const;  // namespace/name, sorted

 private:
  struct Flight {
    QueuedPod pod{};
    std::uint64_t first_event = 0;
    bool deleted = false;
    bool wanted = false;
  };
  void forget_old_events();

  std::map<std::string, Flight> pods_{};  // by uid
  std::deque<ClusterEvent> events_{};
  std::uint64_t first_ = 0;  // the number of events_.front()
};

}  // namespace berth::scheduling
