// SPDX-License-Identifier: Apache-2.0

// What every pod worker stands on, and the knobs of the pod set.
//
// The services are shared by all workers and outlive them. Loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/task_group.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/garbage_rounds.hpp"
#include "lifecycle/image_puller.hpp"
#include "lifecycle/in_hand.hpp"
#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/pod_store.hpp"
#include "lifecycle/relist.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/start_calls.hpp"
#include "lifecycle/start_turns.hpp"
#include "lifecycle/worker/mailbox.hpp"
#include "node/host.hpp"
#include "node/node_config.hpp"
#include "node/objects.hpp"
#include "probes/handlers.hpp"
#include "probes/prober.hpp"

namespace berth::lifecycle {

struct PodSetOptions {
  std::string node_name{};
  FeatureOptions features{};
  RestartBackoffPolicy restarts{};
  TerminationOnRestart termination_on_restart = TerminationOnRestart::kResume;
  ImagePullOptions images{};
  // The relist is a safety net: seldom while an event stream is open, otherwise the only way to
  // learn of an exit (the kubelet's period of 1 s).
  std::chrono::seconds relist_period{30};
  std::chrono::seconds relist_period_without_stream{1};
  std::string config_file{};  // berthd's own, for messages that say what to change
  // Finished pods that stay listed; 0 or less: all of them.
  std::int64_t terminated_pods_kept = kTerminatedPodGcThreshold;
};

// What a worker asks of the pod set.
class WorkerOwner {
 public:
  WorkerOwner() = default;
  WorkerOwner(const WorkerOwner&) = delete;
  WorkerOwner& operator=(const WorkerOwner&) = delete;
  virtual ~WorkerOwner() = default;

  // The pod's status as it is to be shown, whenever it changes.
  virtual void publish(const std::string& uid, const PodPtr& pod) = 0;
  // A sandbox or container id that is this pod's from now on: its events go to the worker.
  virtual void claim(const std::string& uid, const std::string& id) = 0;
  // Nothing of it runs any more: its room on the node is free.
  virtual void left_node(const std::string& uid) = 0;
  // Its volumes and cgroup are gone as well: whatever it held of the machine is free.
  virtual void released(const std::string& uid) = 0;
  // Uids of the pod's predecessors whose end the store need not know any more once it has the pod.
  [[nodiscard]] virtual std::vector<std::string> ended_before(const api::Pod& pod) const = 0;
  // The store has taken something of this pod, and has forgotten those that ended before it.
  virtual void stored(const std::string& uid, const std::vector<std::string>& ended_before) = 0;
};

struct PodEnvironment {
  boost::asio::any_io_executor executor{};
  Clock& clock;
  cri::Runtime& runtime;
  cri::Images& images;
  ImagePuller& puller;
  node::Host& host;
  probes::Handlers& handlers;  // of hooks
  probes::Prober& prober;
  PodStore& store;
  Ledger* ledger = nullptr;                      // null: decisions are not recorded
  InHand* in_hand = nullptr;                     // null: nobody records it
  std::shared_ptr<const node::NodeView> node{};  // replaced when the configuration is read again
  // ConfigMaps and Secrets; replaced as a whole when one of them changes. Never null.
  node::ObjectsPtr objects = std::make_shared<const node::Objects>();
  PodEvents& events;
  Log& log;
  WorkerOwner& owner;
  StartTurns& turns;
  StartCalls& start_calls;
  GarbageRounds& garbage;
  const PodSetOptions& options;
  // Why the runtime is not asked for any sandbox now; empty: it is.
  std::string no_sandboxes{};
  std::string boot_id{};  // of the machine, as long as it is up
  // What the runtime calls itself: the scheme of container ids in statuses.
  std::string runtime_name = "containerd";
  TaskGroup::FailureHandler on_failure{};
};

}  // namespace berth::lifecycle
