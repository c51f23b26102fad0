// The pods that are being scheduled, and the events that came meanwhile: a pod that comes back
// unschedulable may have missed one of them.
//
// Pure. An event is kept as long as a pod is in flight that was taken before it.
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
  // For all pods in flight; forgotten where there is none.
  void record(const ClusterEvent& event);
  [[nodiscard]] bool contains(const std::string& uid) const { return pods_.contains(uid); }
  // What the queue is to have when the pod comes back; none if it is not in flight.
  [[nodiscard]] QueuedPod* find(const std::string& uid);
  // It is not to come back.
  void mark_deleted(const std::string& uid);
  [[nodiscard]] bool is_deleted(const std::string& uid) const;
  // It is to be tried again when it comes back, whatever happened.
  void mark_wanted(const std::string& uid);
  [[nodiscard]] bool is_wanted(const std::string& uid) const;
  // The events since it was taken. Valid until the next change.
  [[nodiscard]] std::vector<const ClusterEvent*> events_for(const std::string& uid) const;
  // Takes it out.
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
