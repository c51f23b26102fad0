// SPDX-License-Identifier: Apache-2.0

// All pods of the node: which are desired, which run, and what is shown of them.
//
// The sources pass the whole desired set each time (`set_desired`); the pod set compares it with
// what it has: a new pod waits until an older one of its name is gone, passes admission once, and
// gets a worker; a pod that is no longer desired is ended by its worker and then forgotten.
// `delete_pod` ends one incarnation; while the pod is desired, the source creates the next one. A
// pod deleted by force is hidden from then on; its successor is shown, and waits for its end.
// Finished pods beyond a threshold are collected: only the verdict of such a pod is kept.
//
// At start everything the runtime has is listed once, and the stored memories are recalled: pods
// with a desired uid are adopted by their workers as they are (no admission), the others are ended
// and cleaned up. Nothing is done until the runtime and the sources have both reported. `stop` ends
// the workers and leaves the pods alone.
//
// PodSet is a facade: its state is in PodSetParts (pod_set_parts.hpp), its behaviour in the classes
// that pod_set.cpp wires. It owns both, and their coroutines. Loop thread only.
// Nothing here blocks. Event recorders and sinks are called synchronously, so they must not call
// back.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.hpp"
#include "lifecycle/admission/refusal.hpp"
#include "lifecycle/pods/ending/disruption.hpp"
#include "lifecycle/pods/pod_set_parts.hpp"
#include "probes/prober.hpp"

namespace berth::lifecycle {

struct PodSetJobs;

class PodSet final {
 public:
  PodSet(PodSetServices services, PodSetOptions options);
  PodSet(const PodSet&) = delete;
  PodSet& operator=(const PodSet&) = delete;
  ~PodSet();

  // Begins to listen to the runtime and to list it. Returns at once.
  void start();
  // Call before `stop`: no container or sandbox begins any more. Waits up to ten seconds for the
  // create and start calls under way.
  [[nodiscard]] boost::asio::awaitable<void> finish_starts();
  // Refuses new work, cancels and joins. The containers keep running.
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // What the runtime had at start, for the sources to choose incarnations; completes once it
  // answered.
  [[nodiscard]] boost::asio::awaitable<RuntimeListing> first_listing();
  // What the store had at start, for the same purpose.
  [[nodiscard]] std::vector<PodMemoryPtr> recalled() const { return parts_.verdicts.all(); }

  // Sets the whole desired set. Uids must be unique. Of several pods with one name, the later ones
  // wait.
  void set_desired(std::vector<PodPtr> pods);

  // Orders the end of a pod: the single entry point for whoever ends one (ending.hpp). If the pod
  // already ends, the order is merged. False if there is no such pod, or if the order keeps the pod
  // and the pod has not begun or is over. Takes effect in a later turn; `orders_stored` completes
  // when it is durable. Must not be called from event recorders and sinks.
  bool order(const std::string& uid, const Ending& ending);
  // Ends the incarnation of that name, as the API server's delete does (deletion_period.hpp), and
  // returns the pod as it was. kNotFound if there is none. `grace`: unset for the pod's own period,
  // 0 to force the deletion.
  [[nodiscard]] Result<PodPtr> delete_pod(const std::string& namespace_, const std::string& name,
                                          std::optional<std::chrono::seconds> grace,
                                          const Disruption& disruption = {});
  // Sets a condition that the node does not own. kInvalid if it may not be set.
  [[nodiscard]] Result<PodPtr> set_condition(const std::string& namespace_, const std::string& name,
                                             const api::PodCondition& condition);
  // Whether the pod has finished and is no longer shown because too many pods have finished. Its
  // manifest still exists, and no successor follows until its end is ordered.
  [[nodiscard]] bool is_collected(const std::string& uid) const;
  // Whether an order, or the removal of its manifest, removes the pod; false for a collected pod.
  [[nodiscard]] bool is_to_be_removed(const std::string& uid) const;
  // Whether the pod is desired, or anything of it is left: in the runtime, on the machine or in the
  // store.
  [[nodiscard]] bool knows(const std::string& uid) const;
  // Completes when the store has the orders for the pod, or after a second; true if it has them.
  [[nodiscard]] boost::asio::awaitable<bool> orders_stored(std::string uid);
  // Completes when nothing of these pods (by uid) runs any more and their volumes and cgroups are
  // removed, or at the deadline. Unknown pods count as released.
  [[nodiscard]] boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                            SteadyTime deadline);
  // Whether one pod is released now.
  [[nodiscard]] bool is_released(const std::string& uid) const;
  // Completes when another pod may have been released.
  [[nodiscard]] boost::asio::awaitable<void> some_released() { return parts_.settled_bell.wait(); }

  // Sets the gate that is consulted from now on; null if no pod is refused because the node is
  // short of some resource.
  void set_pressure(const PressureGate* gate) { parts_.services.pressure = gate; }
  // From now on new pods are refused for this reason, and those that wait for admission keep
  // waiting; unset to return to normal.
  void close(std::optional<Refusal> why);
  // Collects garbage now instead of in the next round, including the containers of finished pods.
  // Completes when every worker has done so, or at `limit`.
  [[nodiscard]] boost::asio::awaitable<void> collect_finished_pods(SteadyTime limit);
  // The node changed (its configuration was read again): for admission and new containers.
  void set_node(std::shared_ptr<const node::NodeView> node,
                std::shared_ptr<const api::Node> node_object);
  // Sets the ConfigMaps and Secrets from now on: pods that refer to a changed one take it up.
  void set_objects(node::ObjectsPtr objects);
  // Why the runtime cannot connect pods to a network; empty if it can, or nobody knows.
  void set_network_error(std::string why);

  // Listings and watches (pod_views.hpp).
  [[nodiscard]] std::vector<PodPtr> snapshot() const { return parts_.views.snapshot(); }
  [[nodiscard]] std::vector<PodPtr> active() const { return parts_.views.active(); }
  // The pods of which something may run, by uid: the active ones, and those that an earlier berthd
  // began and that have no worker yet, because they wait for their name or are held.
  [[nodiscard]] std::vector<PodPtr> placed() const;
  [[nodiscard]] std::vector<HeldPod> held() const { return parts_.views.held(); }
  [[nodiscard]] std::vector<PodActivity> activities() const { return parts_.views.activities(); }
  [[nodiscard]] std::shared_ptr<PodWatch> watch() { return parts_.views.watch(); }
  [[nodiscard]] std::uint64_t version() const { return parts_.views.version(); }
  // The pod that owns the name, as it is shown; null if there is none, or nothing is shown yet.
  [[nodiscard]] PodPtr find(const std::string& namespace_, const std::string& name) const;
  // The running pods that the node would refuse if all were admitted anew, in order of priority.
  // They keep running.
  [[nodiscard]] std::vector<RefusedToday> refused_today() const;
  // The tasks that the set itself has under way.
  [[nodiscard]] std::vector<std::string> tasks() const { return parts_.tasks.names(); }
  // Every probe of every pod with a worker, and its figures.
  [[nodiscard]] const probes::Prober& prober() const;
  // The number of workers, including those that terminate.
  [[nodiscard]] std::size_t workers() const;

  // How often a relist found what the event stream should have reported before; each is a defect.
  [[nodiscard]] std::uint64_t missed_events() const;
  // Why no sandbox is requested from the runtime now (its cgroup driver differs from berth's), and
  // what to do about it; empty if nothing prevents requests.
  [[nodiscard]] const std::string& sandbox_obstacle() const;
  // Whether every pod that was found at start is shown, or the wait for that is over
  // (start_readiness.hpp).
  [[nodiscard]] bool ready() const { return parts_.readiness.ready(); }
  // Completes once that is so. One waiter.
  [[nodiscard]] boost::asio::awaitable<void> until_ready() {
    return parts_.readiness.until_ready();
  }

 private:
  PodSetParts parts_;
  std::unique_ptr<PodSetJobs> jobs_;
};

}  // namespace berth::lifecycle
