// SPDX-License-Identifier: Apache-2.0

// The pods that are being scheduled, and the events that arrived meanwhile: a pod that returns
// unschedulable may have missed one of them.
//
// Pure. An event is kept as long as any pod that was popped before it is in flight.
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
  // Records it for all pods in flight; drops it if there are none.
  void record(const ClusterEvent& event);
  [[nodiscard]] bool contains(const std::string& uid) const { return pods_.contains(uid); }
  // The pod's record, used when it returns; null if the pod is not in flight.
  [[nodiscard]] QueuedPod* find(const std::string& uid);
  // Prevents the pod from returning.
  void mark_deleted(const std::string& uid);
  [[nodiscard]] bool is_deleted(const std::string& uid) const;
  // Makes the pod be retried when it returns, regardless of events.
  void mark_wanted(const std::string& uid);
  [[nodiscard]] bool is_wanted(const std::string& uid) const;
  // The events since the pod was popped. Valid until the next change.
  [[nodiscard]] std::vector<const ClusterEvent*> events_for(const std::string& uid) const;
  // Removes the pod.
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
