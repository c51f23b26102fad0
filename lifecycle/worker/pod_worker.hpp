// SPDX-License-Identifier: Apache-2.0

// The worker of one pod: the only actor for it, from the moment the pod is first seen until its
// last trace is gone.
//
// One coroutine (`run`), one mailbox. Each turn: absorb orders and events, publish the status,
// compute the plan, carry it out as far as possible without waiting, wait for the next event.
// Whatever takes long (stopping a container, pulling an image) is a child task that reports back,
// so that the worker keeps listening. The worker does not list again what it did itself:
// its view of the runtime is kept up to date from its own calls, and read anew only at the start,
// when the outcome of a call is unknown, or when somebody reports it stale.
//
// Its states: worker/pod_course.hpp. Once nothing is left, run() returns.
//
// Cancelling run() ends the worker and leaves the pod as it is. Loop thread only; the environment
// outlives it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_memory.hpp"
#include "lifecycle/worker/pod_activity.hpp"
#include "lifecycle/worker/pod_parts.hpp"

namespace berth::lifecycle {

struct PodJobs;

class PodWorker {
 public:
  // `listed`: what the runtime has of the pod, if known; an empty listing for a pod that nobody has
  // started yet. If unset, the worker lists it itself. `memory`: what the store has of the pod, or
  // null.
  PodWorker(const PodEnvironment& environment, PodPtr pod, std::optional<ListedPod> listed,
            PodMemoryPtr memory);
  PodWorker(const PodWorker&) = delete;
  PodWorker& operator=(const PodWorker&) = delete;
  ~PodWorker();

  [[nodiscard]] boost::asio::awaitable<void> run();

  // Posts the orders to the mailbox.
  void post(PodOrders orders);

  // Called by the prober, about this pod.
  void probe_changed(const probes::ProbeChange& change);
  void probe_reported(const probes::ProbeEvent& event);

  [[nodiscard]] WorkerState state() const { return parts_.course.state(); }
  // Whether nothing of the pod starts any more.
  [[nodiscard]] bool ending() const;
  [[nodiscard]] bool owns(const std::string& id) const { return parts_.observed.owns(id); }
  [[nodiscard]] BelievedPod believed() const;
  // How the pod ends, including an order that still waits in the mailbox. Unset if it should run,
  // or has finished by itself.
  [[nodiscard]] std::optional<EndInForce> ordered_end() const;
  // Whether nothing of the pod runs, and its volumes and cgroup are removed.
  [[nodiscard]] bool is_released() const { return parts_.setup.is_released(); }
  // Whether the store has all orders given for the pod.
  [[nodiscard]] bool orders_kept() const;
  // The external obstacles it waits for, as they are now.
  [[nodiscard]] std::vector<Obstacle> obstacles() const;
  // The name of the container with that id; empty if the runtime has no such container.
  [[nodiscard]] std::string container_name(const std::string& id) const;
  // What the worker is doing right now; the caller fills in the pod itself.
  [[nodiscard]] PodActivity activity() const;
  // What has to outlive berthd, as of now.
  [[nodiscard]] PodMemory memory() const;

 private:
  boost::asio::awaitable<void> live();
  boost::asio::awaitable<void> absorb();
  // True if another turn is to follow at once.
  [[nodiscard]] boost::asio::awaitable<bool> advance();
  void attend_probes();
  [[nodiscard]] bool is_new() const;
  boost::asio::awaitable<void> rest(SteadyTime turn_began);

  PodParts parts_;
  std::unique_ptr<PodJobs> jobs_;
};

}  // namespace berth::lifecycle
