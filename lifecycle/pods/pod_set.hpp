// SPDX-License-Identifier: Apache-2.0

// All pods of the node: what is wished, what runs, and what is shown of it.
//
// The sources hand in the whole wished set each time (`set_desired`); the set makes the difference
// to what it has: a new pod waits for an older one of its name to be gone, is asked admission once,
// and gets a worker; a pod that is no longer wished is ended by its worker and then forgotten.
// `delete_pod` ends one incarnation; while the wish stands, the source makes the next one. A pod
// deleted by force is shown to nobody from then on and its successor waits, shown, for its end.
// Finished pods beyond a number are collected: nothing of them stays but the verdict.
//
// At start everything the runtime has is listed once, and what the store has is recalled: pods
// with a wished uid are adopted by their workers as they are (no admission), the others are ended
// and cleaned up. Until both the runtime and the sources have spoken, nothing is done. `stop` ends
// the workers and leaves the pods alone.
//
// The set is the owner of its parts and of their coroutines: it calls them, and they report to it
// through the interfaces that they declare. Loop thread only. Nothing here blocks. Events and sinks
// are called from within, so they must not call back.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/broadcast.hpp"
#include "lifecycle/admission/refusal.hpp"
#include "lifecycle/pods/pod_cleanup.hpp"
#include "lifecycle/pods/pod_records.hpp"
#include "lifecycle/pods/pod_set_services.hpp"
#include "lifecycle/pods/pod_verdicts.hpp"
#include "lifecycle/pods/pod_views.hpp"
#include "lifecycle/pods/pod_workers.hpp"
#include "lifecycle/pods/reconcile_schedule.hpp"
#include "lifecycle/pods/runtime_watch.hpp"
#include "lifecycle/pods/start_readiness.hpp"

namespace berth::lifecycle {

// Who has a pod deleted for others' sake; empty: nobody.
struct Disruption {
  std::optional<api::PodCondition> target{};  // what the pod's condition DisruptionTarget says
  std::string why{};                          // a clause, for the ledger
};

class PodSet final : private WorkerOwner, private RuntimeListener {
 public:
  PodSet(PodSetServices services, PodSetOptions options);
  PodSet(const PodSet&) = delete;
  PodSet& operator=(const PodSet&) = delete;
  ~PodSet() override;

  // Begins to listen to the runtime and to list what it has. Returns at once.
  void start();
  // Before `stop`: no container or sandbox is begun any more, and what the runtime is asked to
  // begin is waited for, ten seconds at most.
  [[nodiscard]] boost::asio::awaitable<void> finish_starts();
  // Refuses, cancels, joins. The containers go on running.
  [[nodiscard]] boost::asio::awaitable<void> stop();

  // What the runtime had at start, once it answered: sources look there for incarnations.
  [[nodiscard]] boost::asio::awaitable<RuntimeListing> first_listing();
  // What the store had at start: sources look there for incarnations as well.
  [[nodiscard]] std::vector<PodMemoryPtr> recalled() const { return verdicts_.all(); }

  // The whole wished set. Uids are unique; so are names, or the later ones wait.
  void set_desired(std::vector<PodPtr> pods);

  // Orders the end of a pod: the one door for whoever ends one (ending.hpp). An order that finds
  // the pod ending already is merged. False: there is no such pod, or nothing that the order could
  // end (it is to be kept, and has not begun or is over). Takes effect in a later turn;
  // `orders_stored` says when it is durable. Not from within events and sinks.
  bool order(const std::string& uid, const Ending& ending);
  // Ends the incarnation of that name, as the API server's delete does (deletion_period.hpp); the
  // pod as it was. kNotFound if there is none. `grace` none: the pod's own; 0: by force.
  [[nodiscard]] Result<PodPtr> delete_pod(const std::string& namespace_, const std::string& name,
                                          std::optional<std::chrono::seconds> grace,
                                          const Disruption& disruption = {});
  // Sets a condition that is not the node's. kInvalid where it may not be set.
  [[nodiscard]] Result<PodPtr> set_condition(const std::string& namespace_, const std::string& name,
                                             const api::PodCondition& condition);
  // Whether the pod has finished and is not shown any more, because too many have: its manifest
  // stands, and nothing follows it until its end is ordered.
  [[nodiscard]] bool is_collected(const std::string& uid) const;
  // Whether an order, or the end of its manifest, removes the pod; a collected one does not count.
  [[nodiscard]] bool is_to_be_removed(const std::string& uid) const;
  // Completes when the store knows what was ordered of the pod, or after a second; whether it does.
  [[nodiscard]] boost::asio::awaitable<bool> orders_stored(std::string uid);
  // Completes when nothing of these pods runs any more and their volumes and cgroups are gone, or
  // at the deadline; by uid. Pods that are not the set's have nothing.
  [[nodiscard]] boost::asio::awaitable<void> until_released(std::vector<std::string> uids,
                                                            SteadyTime deadline);
  // The same of one pod, now.
  [[nodiscard]] bool is_released(const std::string& uid) const;
  // Completes when another pod may be released.
  [[nodiscard]] boost::asio::awaitable<void> some_released() { return settled_bell_.wait(); }

  // Asked from now on; null: no pod is refused because the node is short of something.
  void set_pressure(const PressureGate* gate) { services_.pressure = gate; }
  // From now on new pods are refused with these words, and those that wait for admission go on
  // waiting; unset: as usual again.
  void close(std::optional<Refusal> why);
  // Collects garbage now instead of at the next round, and the containers of finished pods as well.
  // Completes when every worker has had its turn, or at `limit`.
  [[nodiscard]] boost::asio::awaitable<void> collect_finished_pods(SteadyTime limit) {
    return workers_.collect_finished_pods(limit);
  }
  // The node changed (its configuration was read again): for admission and new containers.
  void set_node(std::shared_ptr<const node::NodeView> node,
                std::shared_ptr<const api::Node> node_object);
  // ConfigMaps and Secrets from now on: pods that refer to what changed look again.
  void set_objects(node::ObjectsPtr objects) { workers_.set_objects(std::move(objects)); }

  // Listings and watches (pod_views.hpp).
  [[nodiscard]] std::vector<PodPtr> snapshot() const { return views_.snapshot(); }
  [[nodiscard]] std::vector<PodPtr> active() const { return views_.active(); }
  // Those of which something may run, by uid: the active ones, and those that an earlier berthd
  // began and that have no worker yet, because they wait for their name or are held.
  [[nodiscard]] std::vector<PodPtr> placed() const;
  [[nodiscard]] std::vector<HeldPod> held() const { return views_.held(); }
  [[nodiscard]] std::vector<PodActivity> activities() const { return views_.activities(); }
  [[nodiscard]] std::shared_ptr<PodWatch> watch() { return views_.watch(); }
  [[nodiscard]] std::uint64_t version() const { return views_.version(); }
  // The pod that has the name, as it is shown; null if there is none, or nothing is shown yet.
  [[nodiscard]] PodPtr find(const std::string& namespace_, const std::string& name) const;
  // Of what runs, and would be refused if the node were asked now: by priority, each beside those
  // that it would find there. It goes on all the same.
  [[nodiscard]] std::vector<RefusedToday> refused_today() const;
  // What the set itself has under way.
  [[nodiscard]] std::vector<std::string> tasks() const { return tasks_.names(); }
  // Every probe of every pod with a worker, and its figures.
  [[nodiscard]] const probes::Prober& prober() const { return workers_.prober(); }
  // Workers at work, terminating ones included.
  [[nodiscard]] std::size_t workers() const { return workers_.size(); }

  // How often a relist found what the event stream should have reported before: defects, all of
  // them.
  [[nodiscard]] std::uint64_t missed_events() const { return runtime_.missed_events(); }
  // Why the runtime is not asked for any sandbox now (it keeps control groups in another way than
  // we do), and what to do about it; empty: it is asked.
  [[nodiscard]] const std::string& sandbox_obstacle() const { return workers_.sandbox_obstacle(); }
  // Whether every pod that was found at start is shown, as far as that can be waited for
  // (start_readiness.hpp).
  [[nodiscard]] bool ready() const { return readiness_.ready(); }
  // Completes once that is so. One waiter.
  [[nodiscard]] boost::asio::awaitable<void> until_ready() { return readiness_.until_ready(); }

 private:
  using Record = PodRecord;

  // WorkerOwner.
  void publish(const std::string& uid, const PodPtr& pod) override;
  void claim(const std::string& uid, const std::string& id) override;
  void left_node(const std::string& uid) override;
  void released(const std::string& uid) override;
  [[nodiscard]] std::vector<std::string> ended_before(const api::Pod& pod) const override;
  void stored(const std::string& uid, const std::vector<std::string>& ended_before) override;

  // RuntimeListener (pod_set_runtime.cpp).
  void runtime_identified(const RuntimeIdentity& runtime) override;
  void runtime_back() override;
  void runtime_listed(const RuntimeListing& listing) override;
  [[nodiscard]] bool compares_listings() const override { return readiness_.may_begin(); }
  [[nodiscard]] std::map<std::string, BelievedPod> believed() const override;
  bool stopped(const std::string& id, const StopNews& news) override;
  void pod_differs(const std::string& uid, const std::string& what) override;
  void pod_unknown(const std::string& uid, ListedPod listed) override;
  void turned_up(Record& record, ListedPod listed);
  void adopt_unknown(const std::string& uid, ListedPod listed);
  [[nodiscard]] std::optional<ListedPod> claim_found(const std::string& uid);

  // The difference between wished and had (pod_set.cpp).
  void reconcile_once();
  void adopt_unwished();
  void look_at_found();
  void end_unwished(int& changes);
  void replace_edited(int& changes);
  void add_wished();
  void begin_waiting(int& changes);
  void begin(Record& record);
  void tell_taken_over(const api::Pod& pod);
  [[nodiscard]] bool hold_if_not_run_here(Record& record, ListedPod& listed);
  void replace_found(Record& record, ListedPod listed, PodMemoryPtr memory);
  void hold(Record& record, api::PodStatus status, const std::string& told);
  void tell_unenforced(const api::Pod& pod);
  // `decision`: the record in the ledger.
  void reject(Record& record, const std::string& reason, const std::string& message,
              const std::string& decision);
  boost::asio::awaitable<void> show_rejected(PodPtr pod, PodPtr shown);
  void launch(Record& record, ListedPod listed, PodMemoryPtr memory);
  bool end_without_worker(Record& record, const Ending& ending);
  boost::asio::awaitable<void> finish_without_worker(std::string uid);
  void finished(const std::string& uid);
  void make_successor(Record& record);
  void keep_collected(const Record& record);
  [[nodiscard]] bool was_let_in(const Record& record) const;
  [[nodiscard]] bool is_placed(const Record& record) const;
  [[nodiscard]] bool is_started_by_somebody(const std::string& uid) const;

  // Who is let in (pod_set_admission.cpp).
  [[nodiscard]] Occupants occupants() const;
  void want(Record& record);
  void refuse(Record& record, const Refusal& why);
  void ask_admission();
  void carry_out(Record& record, const AdmissionAnswer& answer);
  void show_unschedulable(Record& record, const AdmissionAnswer& answer);
  void preempt(const AdmissionAnswer& answer);
  void make_room(Record& record, const AdmissionAnswer& answer);
  void show_unanswered();
  void show_pending(const api::Pod& pod);
  void put_on_node(Record& record) const;

  // What an operator or the controller manager orders (pod_set_orders.cpp).
  PodPtr delete_incarnation(Record& record, std::optional<std::chrono::seconds> grace,
                            const Disruption& disruption);
  void disrupt(Record& record, const Disruption& disruption);
  void hide(Record& record);
  void look_for_finished();
  void collect_finished();
  [[nodiscard]] bool knows_orders(const std::string& uid) const;
  [[nodiscard]] Error not_found(const std::string& namespace_, const std::string& name) const;

  PodSetServices services_;
  const PodSetOptions options_;
  TaskGroup tasks_;
  std::map<std::string, PodPtr> desired_{};  // by uid
  PodWorkers workers_;                       // outlives the records, which have them
  PodRecords records_{};
  PodViews views_;
  PodVerdicts verdicts_;
  PodCleanup cleanup_;
  RuntimeWatch runtime_;
  RuntimeListing found_{};  // what the runtime has of pods and no worker has taken up yet
  StartReadiness readiness_;
  ReconcileSchedule reconcile_;
  NextTurn collection_;              // of finished pods
  std::optional<Refusal> closed_{};  // why no new pod is let in
  Broadcast settled_bell_;  // the store knows more of what was ordered, or a pod is released
};

}  // namespace berth::lifecycle
