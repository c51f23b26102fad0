// SPDX-License-Identifier: Apache-2.0

// The pods that wait for a node: which is tried next, which must wait, and what each of them waits
// for.
//
// A state without clock, timer or lock: each call receives the time, changes the state as
// Kubernetes 1.34 does, and returns which pods moved and why. There are three places:
//
// * active: by priority, then by waiting time. pop() takes the first pod.
// * backoff: failed recently. Moved by flush_backoff(), which must be called once a second. If no
//   pod is active, pop() takes the first rejected pod of the backoff at once; after an error a pod
//   waits its full time.
// * unschedulable: until an event makes a retry worthwhile, or for five minutes
//   (flush_unschedulable(), which must be called every 30 s). Gated pods are here too, until their
//   last gate is removed.
//
// A popped pod is in flight until it is bound or returned. Events that arrive meanwhile are applied
// as soon as it returns. A pod that is deleted in flight does not return.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "scheduling/cluster/selector_sources.hpp"
#include "scheduling/queue/in_flight.hpp"
#include "scheduling/queue/queued_pod.hpp"

namespace berth::scheduling {

inline constexpr std::chrono::minutes kLongestUnschedulable{5};

enum class QueuePlace : std::uint8_t { kActive, kBackoff, kUnschedulable, kNowhere };

struct QueueMove {
  std::string pod{};  // namespace/name
  QueuePlace to = QueuePlace::kNowhere;
  std::string why{};

  bool operator==(const QueueMove&) const = default;
};
using QueueMoves = std::vector<QueueMove>;

struct PoppedPod {
  PodPtr pod{};
  int attempts = 0;  // including this one
};

struct QueueSettings {
  BackoffPolicy backoff{};
  // By the profile's schedulerName; a pod of another scheduler has no hints.
  std::map<std::string, HintArguments> profiles{{"default-scheduler", {}}};
  // The cluster's sources, which must outlive the queue: they select the pods for a profile's
  // default spread constraints. Null if there are none.
  const SelectorSources* selectors = nullptr;
};

// For displaying the queue. Names are namespace/name, sorted.
struct QueueView {
  std::vector<std::string> active{};
  std::map<std::string, WallTime> backoff{};  // with its end
  std::vector<std::string> unschedulable{};
  std::map<std::string, PodGate> gated{};
  std::vector<std::string> in_flight{};
};

class SchedulingQueue {
 public:
  explicit SchedulingQueue(QueueSettings settings = {}) : settings_(std::move(settings)) {}

  // For pods without a node. An update of an unknown pod adds it.
  QueueMoves add(const PodPtr& pod, WallTime now);
  QueueMoves update(const PodPtr& before, const PodPtr& after, WallTime now);
  QueueMoves erase(const PodPtr& pod, WallTime now);

  [[nodiscard]] std::optional<PoppedPod> pop();
  // For pods in flight, by uid.
  QueueMoves return_rejected(const std::string& uid, const PluginNames& plugins, WallTime now);
  QueueMoves return_failed(const std::string& uid, WallTime now);
  void done(const std::string& uid);  // the pod is bound, or given up

  QueueMoves on_event(const ClusterEvent& event, WallTime now);
  QueueMoves flush_backoff(WallTime now);
  QueueMoves flush_unschedulable(WallTime now);
  // When either flush will next have a pod to move, if nothing happens before. `std::nullopt` if
  // never.
  [[nodiscard]] std::optional<WallTime> next_flush() const;
  // Moves a pod to active at once, by namespace/name. Does nothing for a pod in flight.
  QueueMoves activate(const std::string& name);
  // Makes a pod in flight, by uid, be retried when it returns, regardless of events: its preemption
  // failed before its own cycle had ended. Does nothing for other pods.
  void requeue_on_return(const std::string& uid) { in_flight_.mark_wanted(uid); }

  // While its victims are terminating, a preempting pod is gated, by uid. Lifting the gate moves no
  // pod: the pod stays unschedulable until an event frees it. The deletion of its last victim is
  // such an event; if the preemption failed there will be none, and the caller must call
  // activate(), and requeue_on_return() in case the pod is still in flight.
  void begin_preemption(const std::string& uid) { preempting_.insert(uid); }
  void end_preemption(const std::string& uid) { preempting_.erase(uid); }

  [[nodiscard]] QueueView view() const;

 private:
  enum class Place : std::uint8_t { kActive, kBackoff, kErrorBackoff, kUnschedulable };
  struct Entry {
    QueuedPod queued{};
    Place place = Place::kUnschedulable;
  };
  using ActiveKey = std::tuple<std::int64_t, WallTime, std::uint64_t, std::string>;
  using BackoffKey = std::tuple<WallTime, ActiveKey>;
  using Names = std::vector<std::string>;

  [[nodiscard]] static ActiveKey active_key(const QueuedPod& queued);
  [[nodiscard]] BackoffKey backoff_key(const QueuedPod& queued) const;
  [[nodiscard]] std::optional<PodGate> gate_of(const api::Pod& pod) const;
  [[nodiscard]] const HintArguments* arguments_for(const api::Pod& pod) const;
  // The plugin that asks for a retry, and the event; empty if none does.
  [[nodiscard]] std::string wants_retry(QueuedPod& queued, const ClusterEvent& event) const;
  void compile_needs(QueuedPod& queued, const HintArguments& arguments) const;
  [[nodiscard]] std::string missed_event(const std::string& uid, QueuedPod& queued) const;

  QueueMoves return_pod(const std::string& uid, const PluginNames* plugins, WallTime now);
  QueueMove place_active(QueuedPod queued, std::string why);
  QueueMove place_by_backoff(QueuedPod queued, std::string why, WallTime now);
  QueueMove place(QueuedPod queued, Place place, std::string why);
  std::optional<QueuedPod> take(const std::string& name);
  QueueMoves move_unschedulable(const Names& names, const ClusterEvent& event, WallTime now);
  QueueMoves move_for_lesser(const PodPtr& nominated, WallTime now);
  QueueMoves update_parked(const std::string& name, const PodPtr& before, const PodPtr& after,
                           WallTime now);

  QueueSettings settings_{};
  std::map<std::string, Entry> entries_{};  // by namespace/name
  std::set<ActiveKey> active_{};
  std::set<BackoffKey> backoff_{};
  std::set<BackoffKey> error_backoff_{};
  InFlight in_flight_{};
  std::set<std::string> preempting_{};  // uids
  std::uint64_t next_sequence_ = 0;
};

}  // namespace berth::scheduling
