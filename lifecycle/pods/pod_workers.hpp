// SPDX-License-Identifier: Apache-2.0

// The workers of all pods: what they share, how they run and end with berthd, and what is sent to
// several of them at once.
//
// A record owns its worker. This object owns the workers' coroutines, which end with `join`, and
// what the workers use; its destructor therefore destroys the workers of the remaining records.
// Services, options, owner and records outlive this object. Loop thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/task_group.hpp"
#include "lifecycle/pods/pod_records.hpp"
#include "lifecycle/pods/pod_set_services.hpp"
#include "lifecycle/worker/mailbox.hpp"
#include "lifecycle/worker/pod_environment.hpp"
#include "lifecycle/worker/runtime/garbage_rounds.hpp"
#include "lifecycle/worker/starts/image_puller.hpp"
#include "lifecycle/worker/starts/start_calls.hpp"
#include "lifecycle/worker/starts/start_turns.hpp"
#include "probes/prober.hpp"

namespace berth::lifecycle {

class PodWorkers final : private probes::ProbeSink {
 public:
  // `on_finished`: called when nothing is left of the pod with that uid, and its worker has
  // returned.
  PodWorkers(const PodSetServices& services, const PodSetOptions& options, WorkerOwner& owner,
             const PodRecords& records, std::function<void(const std::string& uid)> on_finished);
  PodWorkers(const PodWorkers&) = delete;
  PodWorkers& operator=(const PodWorkers&) = delete;
  ~PodWorkers() override;

  // Gives the record a worker, which continues from what the runtime and the store have of the pod.
  void begin(PodRecord& record, ListedPod listed, PodMemoryPtr memory);

  // Posts to one worker, if the pod has one.
  void post(const std::string& uid, PodOrders orders);
  void post_to_all(const PodOrders& orders);
  // Posts to the worker that has the container or sandbox; false if none has.
  bool post_stop(const std::string& id, const StopNews& news);
  // Collects garbage now instead of in the next round, including the containers of finished pods.
  // Completes when every worker has done so, or at `limit`.
  [[nodiscard]] boost::asio::awaitable<void> collect_finished_pods(SteadyTime limit);
  // Runs the regular garbage collection rounds until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> collect_garbage_in_rounds();

  // What the workers believe about the runtime, by pod uid.
  [[nodiscard]] std::map<std::string, BelievedPod> believed() const;

  // Sets the node from now on, for new containers.
  void set_node(std::shared_ptr<const node::NodeView> node) {
    environment_.now.view = std::move(node);
  }
  // Sets the ConfigMaps and Secrets from now on: pods that refer to a changed one take it up.
  void set_objects(node::ObjectsPtr objects);
  // What the runtime calls itself: the scheme of container ids in statuses.
  void set_runtime_name(std::string name) { environment_.now.runtime_name = std::move(name); }
  // Why no sandbox is requested from the runtime; empty if nothing prevents requests.
  void set_sandbox_obstacle(std::string why) { environment_.now.no_sandboxes = std::move(why); }
  [[nodiscard]] const std::string& sandbox_obstacle() const {
    return environment_.now.no_sandboxes;
  }

  // Why the runtime cannot connect pods to a network; empty if it can. Pods without a network of
  // their own do not mind. What waited for a change is tried at once.
  void set_network_error(std::string why);

  // Every probe of every pod with a worker, and its figures.
  [[nodiscard]] const probes::Prober& prober() const { return prober_; }
  // The number of workers, including those that terminate.
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }

  // From now on no container or sandbox begins. Completes when the runtime has answered all create
  // and start calls, or at `limit`: true if it has.
  [[nodiscard]] boost::asio::awaitable<bool> finish_starts(SteadyTime limit);
  // Cancels every worker and probe; the containers keep running. `join` completes when no worker
  // is left.
  void request_stop();
  [[nodiscard]] boost::asio::awaitable<void> join();

 private:
  void result_changed(const probes::ProbeChange& change) override;
  void event(const probes::ProbeEvent& event) override;

  void collect_garbage_of(const std::string& uid);
  [[nodiscard]] boost::asio::awaitable<void> run(std::string uid,
                                                 std::shared_ptr<PodWorker> worker);

  const PodRecords& records_;
  const std::function<void(const std::string& uid)> on_finished_;
  ImagePuller puller_;
  probes::Prober prober_;
  StartTurns turns_;
  StartCalls start_calls_;
  GarbageRounds garbage_;
  PodEnvironment environment_;
  TaskGroup tasks_;
};

}  // namespace berth::lifecycle
