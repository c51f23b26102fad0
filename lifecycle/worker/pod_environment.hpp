// SPDX-License-Identifier: Apache-2.0

// What every pod worker uses and none of them owns. All of it outlives them. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "base/task_group.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/pod_set_options.hpp"
#include "lifecycle/pod_store.hpp"
#include "lifecycle/worker/pod_teller.hpp"
#include "lifecycle/worker/worker_owner.hpp"
#include "node/host.hpp"
#include "node/objects.hpp"

namespace berth::probes {
class Handlers;
class Prober;
}  // namespace berth::probes

namespace berth::lifecycle {

class GarbageRounds;
class ImagePuller;
class InHand;
class StartCalls;
class StartTurns;

// The node as it is now: the pod set replaces what changes. No pointer is null.
struct NodeNow {
  std::shared_ptr<const node::NodeView> view{};
  node::ObjectsPtr objects = std::make_shared<const node::Objects>();  // ConfigMaps and Secrets
  // What the runtime calls itself: the scheme of container ids in statuses.
  std::string runtime_name = "containerd";
  // Why no sandbox is requested from the runtime; empty if nothing prevents requests.
  std::string no_sandboxes{};
  // Why the runtime cannot connect pods to a network, as far as it says so; empty if it can.
  std::string network_error{};
};

// Shared by all workers: what they queue for, and what must be serialised between them.
struct SharedTurns {
  ImagePuller& pulls;
  StartTurns& starts;
  StartCalls& start_calls;
  GarbageRounds& garbage;
};

struct PodEnvironment {
  boost::asio::any_io_executor executor{};
  Clock& clock;
  cri::Runtime& runtime;
  cri::Images& images;
  node::Host& host;
  probes::Handlers& handlers;  // for hooks
  probes::Prober& prober;
  PodStore& store;
  TellerServices teller;
  InHand* in_hand = nullptr;  // null if it is not recorded
  WorkerOwner& owner;
  const PodSetOptions& options;
  SharedTurns shared;
  NodeNow now{};
  TaskGroup::FailureHandler on_failure{};
};

}  // namespace berth::lifecycle
