// SPDX-License-Identifier: Apache-2.0

// The services that the pod set uses. All of them outlive it.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/task_group.hpp"
#include "cri/event_stream.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/admission/pod_admission.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_store.hpp"
#include "node/host.hpp"
#include "node/node_config.hpp"

namespace berth::probes {
class Handlers;
}  // namespace berth::probes

namespace berth::lifecycle {

class InHand;
class Ledger;
class PressureGate;

// The source of new incarnations, implemented by the pod sources.
class IncarnationSource {
 public:
  IncarnationSource() = default;
  IncarnationSource(const IncarnationSource&) = delete;
  IncarnationSource& operator=(const IncarnationSource&) = delete;
  virtual ~IncarnationSource() = default;

  // The incarnation after `ended` (a deleted one), from the same manifest: with a new uid, unless
  // it is pinned. Null if the pod is no longer desired. The source's later sets hold the new
  // incarnation instead.
  virtual PodPtr next_incarnation(const api::Pod& ended) = 0;
};

struct PodSetServices {
  boost::asio::any_io_executor executor{};
  Clock* clock = nullptr;
  cri::Runtime* runtime = nullptr;
  cri::Images* images = nullptr;
  cri::EventStream* stream = nullptr;
  node::Host* host = nullptr;
  probes::Handlers* handlers = nullptr;
  PodEvents* events = nullptr;
  StatusSink* sink = nullptr;  // gets every published status first; null in berthd
  Log* log = nullptr;
  IncarnationSource* incarnations = nullptr;
  PodStore* store = nullptr;
  Ledger* ledger = nullptr;                // null if decisions are not recorded
  const PressureGate* pressure = nullptr;  // null: no pod is refused for a resource shortage
  InHand* in_hand = nullptr;               // null if it is not recorded
  PodAdmission* admission = nullptr;
  std::shared_ptr<const node::NodeView> node{};  // the node's view; `set_node` replaces it
  TaskGroup::FailureHandler on_failure{};
};

}  // namespace berth::lifecycle
