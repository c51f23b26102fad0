// SPDX-License-Identifier: Apache-2.0

// The services that every pod worker uses, and the options of the pod set.
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
#include "lifecycle/in_hand.hpp"
#include "lifecycle/interrupted_stops.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_gc.hpp"
#include "lifecycle/pod_store.hpp"
#include "lifecycle/restart_backoff.hpp"
#include "lifecycle/worker/mailbox.hpp"
#include "lifecycle/worker/runtime/garbage_rounds.hpp"
#include "lifecycle/worker/runtime/relist.hpp"
#include "lifecycle/worker/starts/image_puller.hpp"
#include "lifecycle/worker/starts/start_calls.hpp"
#include "lifecycle/worker/starts/start_turns.hpp"
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
  // The relist is a safety net: it is infrequent while an event stream is open, and otherwise the
  // only way to learn of an exit (with the kubelet's period of 1 s).
  std::chrono::seconds relist_period{30};
  std::chrono::seconds relist_period_without_stream{1};
  std::string config_file{};  // berthd's own, for messages that suggest a change
  // How many finished pods stay listed; 0 or less: all of them.
  std::int64_t terminated_pods_kept = kTerminatedPodGcThreshold;
};

// What a worker calls on the pod set.
class WorkerOwner {
 public:
  WorkerOwner() = default;
  WorkerOwner(const WorkerOwner&) = delete;
  WorkerOwner& operator=(const WorkerOwner&) = delete;
  virtual ~WorkerOwner() = default;

  // Publishes the pod with its status as it should be shown, whenever it changes.
  virtual void publish(const std::string& uid, const PodPtr& pod) = 0;
  // Claims a sandbox or container id for this pod: from now on its events go to the worker.
  virtual void claim(const std::string& uid, const std::string& id) = 0;
  // Nothing of the pod runs any more: its room on the node is free.
  virtual void left_node(const std::string& uid) = 0;
  // The pod's volumes and cgroup are gone as well: it holds no resources of the machine any more.
  virtual void released(const std::string& uid) = 0;
  // Uids of the pod's predecessors whose end need no longer be stored once the store has the pod.
  [[nodiscard]] virtual std::vector<std::string> ended_before(const api::Pod& pod) const = 0;
  // The store has committed something about this pod, and has forgotten the pods that ended before
  // it.
  virtual void stored(const std::string& uid, const std::vector<std::string>& ended_before) = 0;
};

struct PodEnvironment {
  boost::asio::any_io_executor executor{};
  Clock& clock;
  cri::Runtime& runtime;
  cri::Images& images;
  ImagePuller& puller;
  node::Host& host;
  probes::Handlers& handlers;  // for hooks
  probes::Prober& prober;
  PodStore& store;
  Ledger* ledger = nullptr;                      // null if decisions are not recorded
  InHand* in_hand = nullptr;                     // null if it is not recorded
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
  // Why the runtime is not asked for any sandbox now; empty if it is asked.
  std::string no_sandboxes{};
  std::string boot_id{};  // identifies the machine's current boot
  // What the runtime calls itself: the scheme of container ids in statuses.
  std::string runtime_name = "containerd";
  TaskGroup::FailureHandler on_failure{};
};

}  // namespace berth::lifecycle
