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
// Loop thread only. Nothing here blocks; everything that goes on is owned by task groups. Events
// and sinks are called from within, so they must not call back.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/broadcast.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/notification.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"
#include "cri/event_stream.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/admission/pod_admission.hpp"
#include "lifecycle/image_puller.hpp"
#include "lifecycle/mailbox.hpp"
#include "lifecycle/obstacles.hpp"
#include "lifecycle/pod_activity.hpp"
#include "lifecycle/pod_environment.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_store.hpp"
#include "lifecycle/pod_watch.hpp"
#include "lifecycle/runtime_listing.hpp"
#include "node/host.hpp"
#include "node/node_config.hpp"
#include "node/objects.hpp"
#include "probes/prober.hpp"

namespace berth::lifecycle {

// Where new incarnations come from: the pod sources.
class IncarnationSource {
 public:
  IncarnationSource() = default;
  IncarnationSource(const IncarnationSource&) = delete;
  IncarnationSource& operator=(const IncarnationSource&) = delete;
  virtual ~IncarnationSource() = default;

  // The incarnation after `ended` (a deleted one), from the same manifest: a new uid, unless it is
  // pinned. Null: the wish is gone. The source's later sets hold the new incarnation instead.
  virtual PodPtr next_incarnation(const api::Pod& ended) = 0;
};

class PressureGate;

// What the pods stand on; all of it outlives the set.
struct PodSetServices {
  boost::asio::any_io_executor executor{};
  Clock* clock = nullptr;
  cri::Runtime* runtime = nullptr;
  cri::Images* images = nullptr;
  cri::EventStream* stream = nullptr;
  node::Host* host = nullptr;
  probes::Handlers* handlers = nullptr;
  PodEvents* events = nullptr;
  StatusSink* sink = nullptr;
  Log* log = nullptr;
  IncarnationSource* incarnations = nullptr;
  PodStore* store = nullptr;
  Ledger* ledger = nullptr;                // null: decisions are not recorded
  const PressureGate* pressure = nullptr;  // null: no pod is refused because the node is short
  InHand* in_hand = nullptr;               // null: nobody records it
  std::string boot_id{};                   // tells one boot of the machine from another
  PodAdmission* admission = nullptr;
  std::shared_ptr<const node::NodeView> node{};  // what the node is; `set_node` replaces it
  TaskGroup::FailureHandler on_failure{};
};

class PodWorker;

// Who has a pod deleted for others' sake; empty: nobody.
struct Disruption {
  std::optional<api::PodCondition> target{};  // what the pod's condition DisruptionTarget says
  std::string why{};                          // a clause, for the ledger
};

class PodSet final : private WorkerOwner, private probes::ProbeSink {
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
  [[nodiscard]] std::vector<PodMemoryPtr> recalled() const;

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
  // Completes when the store knows what was ordered of the pod, or after a second; whether it does.
  [[nodiscard]] boost::asio::awaitable<bool> orders_stored(std::string uid);

  // Asked from now on; null: no pod is refused because the node is short of something.
  void set_pressure(const PressureGate* gate) { services_.pressure = gate; }
  // What the runtime need not keep of pods is removed now, and not only at its next round.
  void collect_garbage();
  // The node changed (its configuration was read again): for admission and new containers.
  void set_node(std::shared_ptr<const node::NodeView> node,
                std::shared_ptr<const api::Node> node_object);

  // ConfigMaps and Secrets as they are from now on: pods that refer to what changed are told.
  void set_objects(node::ObjectsPtr objects);

  // Every pod with its status, by namespace and name. A pod that waits for the end of an older one
  // of its name is not shown.
  [[nodiscard]] std::vector<PodPtr> snapshot() const;
  // Those that are being run, or ended, and are shown: with their statuses, by uid.
  [[nodiscard]] std::vector<PodPtr> active() const;
  [[nodiscard]] PodPtr find(const std::string& namespace_, const std::string& name) const;
  // Of what runs, and would be refused if the node were asked now: by priority, each beside those
  // that it would find there. It goes on all the same.
  [[nodiscard]] std::vector<RefusedToday> refused_today() const;
  // One for each obstacle, by namespace and name; of pods that are shown to nobody any more, too.
  [[nodiscard]] std::vector<HeldPod> held() const;
  // Changes from now on, beginning with an kAdded for every pod of the snapshot.
  [[nodiscard]] std::shared_ptr<PodWatch> watch();
  // What goes on with each pod, shown or not, and what the set itself has under way.
  [[nodiscard]] std::vector<PodActivity> activities() const;
  [[nodiscard]] std::vector<std::string> tasks() const { return tasks_.names(); }
  // Every probe of every pod with a worker, and its figures.
  [[nodiscard]] const probes::Prober& prober() const { return prober_; }
  // Moves with every change of what snapshot() shows.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  // How often a relist found what the event stream should have told before: defects, all of them.
  [[nodiscard]] std::uint64_t missed_events() const { return missed_events_; }
  // Why the runtime is not asked for any sandbox now (it keeps control groups in another way than
  // we do), and what to do about it; empty: it is asked.
  [[nodiscard]] const std::string& sandbox_obstacle() const { return environment_.no_sandboxes; }
  // Whether the runtime has been listed, the sources have spoken, and every pod that was found then
  // is shown (or could not be looked at for some seconds): a restart of berthd is not to look as if
  // pods were gone.
  [[nodiscard]] bool ready() const { return ready_; }
  // Completes once that is so. One waiter.
  [[nodiscard]] boost::asio::awaitable<void> until_ready();
  // Workers at work, terminating ones included.
  [[nodiscard]] std::size_t workers() const;

 private:
  struct Record;

  void publish(const std::string& uid, const PodPtr& pod) override;
  void claim(const std::string& uid, const std::string& id) override;
  void left_node(const std::string& uid) override;
  [[nodiscard]] std::vector<std::string> ended_before(const api::Pod& pod) const override;
  void stored(const std::string& uid, const std::vector<std::string>& ended_before) override;
  void result_changed(const probes::ProbeChange& change) override;
  void event(const probes::ProbeEvent& told) override;

  // The difference between wished and had (pod_set.cpp).
  void reconcile();
  void reconcile_once();
  void reconcile_soon();
  boost::asio::awaitable<void> reconcile_in_turn();
  void collect_garbage_of(const std::string& uid);
  [[nodiscard]] bool spoken() const { return listed_ && desired_known_; }
  void look_at_found();
  boost::asio::awaitable<void> await_first_looks();
  void end_unwished(int& changes);
  void replace_edited(int& changes);
  void add_wished();
  void begin_waiting(int& changes);
  void begin(Record& record);
  void tell_taken_over(const api::Pod& pod);
  [[nodiscard]] bool hold_if_not_run_here(Record& record, ListedPod& listed);
  void replace_found(Record& record, ListedPod listed, PodMemoryPtr memory);
  void hold(Record& record, api::PodStatus status, const std::string& why);
  void tell_unenforced(const api::Pod& pod);
  void reject(Record& record, const std::string& reason, const std::string& message);
  void launch(Record& record, ListedPod listed, PodMemoryPtr memory);
  [[nodiscard]] static std::optional<EndInForce> end_of(const Record& record);
  [[nodiscard]] bool is_being_removed(const Record& record) const;
  bool end_without_worker(Record& record, const Ending& ending);
  void make_successor(Record& record);
  void keep_collected(const std::string& uid, std::unique_ptr<Record> record);
  void adopt_unwished();
  void adopt_unknown(const std::string& uid, ListedPod listed);
  void finished(const std::string& uid);
  boost::asio::awaitable<void> finish_without_worker(std::string uid);
  using ByName = std::multimap<std::pair<std::string, std::string>, const Record*>;
  [[nodiscard]] ByName by_name() const;
  [[nodiscard]] bool name_taken(const Record& record, const ByName& records) const;
  [[nodiscard]] bool name_shown(const Record& record, const ByName& records) const;

  // Who is let in (pod_set_admission.cpp).
  [[nodiscard]] Occupants occupants() const;
  [[nodiscard]] bool had_to_go(const api::Pod& pod) const;
  void want(Record& record);
  void ask_admission();
  void ask_again_at(SteadyTime time);
  boost::asio::awaitable<void> ask_again(SteadyTime time);
  void carry_out(Record& record, const AdmissionAnswer& answer);
  void show_unschedulable(Record& record, const AdmissionAnswer& answer);
  void preempt(const AdmissionAnswer& answer);
  void make_room(Record& record, const AdmissionAnswer& answer);
  void show_unanswered();
  void show_pending(const api::Pod& pod);
  void put_on_node(Record& record) const;

  // What the store knows (pod_set_store.cpp).
  void recall();
  [[nodiscard]] PodMemoryPtr memory_of(const std::string& uid) const;
  [[nodiscard]] PodPtr with_admitted_priority(PodPtr wished) const;
  void forget_unwished_verdicts();
  void forget_verdict(const std::string& uid);
  void forget(const std::string& uid, const PodPtr& pod);
  [[nodiscard]] PodMemoryPtr verdict_on(const PodPtr& pod, Verdict verdict,
                                        api::PodStatus status = {}) const;
  void remember_ended(const Record& record);
  void begin_verdict(PodMemoryPtr said, StoreBatch batch);
  boost::asio::awaitable<void> store_verdict(PodMemoryPtr said, StoreBatch batch);
  boost::asio::awaitable<void> try_verdict(PodMemoryPtr said, StoreBatch batch);
  [[nodiscard]] bool lives(const std::string& uid) const;
  [[nodiscard]] bool stands(const PodMemoryPtr& said) const;
  [[nodiscard]] bool is_rejected(const std::string& uid) const;
  [[nodiscard]] bool was_let_in(const Record& record) const;
  [[nodiscard]] bool is_placed(const Record& record) const;
  [[nodiscard]] bool stays_rejected(const PodPtr& pod) const;
  boost::asio::awaitable<void> store_rejection(PodPtr pod, PodPtr shown);

  // What is left of pods that nobody starts (pod_set_leftovers.cpp).
  boost::asio::awaitable<void> clean_leftovers();
  boost::asio::awaitable<void> clean_rejected(PodPtr pod);
  boost::asio::awaitable<void> clean_unstarted(PodPtr pod, std::function<bool()> stays);
  void tell_uncleaned(Obstacles& told, const std::string& uid, const Error& error) const;
  boost::asio::awaitable<Result<node::Nothing>> clean(PodPtr pod);
  void turned_up(Record& record, ListedPod listed);

  // What an operator or the controller manager orders (pod_set_orders.cpp).
  PodPtr delete_incarnation(Record& record, std::optional<std::chrono::seconds> grace,
                            const Disruption& disruption);
  void disrupt(Record& record, const Disruption& disruption);
  void hide(Record& record);
  void look_for_finished();
  void collect_finished();
  boost::asio::awaitable<void> collect_next();
  [[nodiscard]] bool knows_orders(const std::string& uid) const;
  [[nodiscard]] Error not_found(const std::string& namespace_, const std::string& name) const;

  // What the runtime says (pod_set_runtime.cpp).
  boost::asio::awaitable<void> watch_runtime();
  boost::asio::awaitable<void> pump_events();
  boost::asio::awaitable<bool> ask_runtime_name();
  boost::asio::awaitable<bool> relist(bool back, bool expected_differences);
  void tell_of_foreign(const RuntimeListing& listing);
  boost::asio::awaitable<bool> ask_for_setup();
  void handle(const cri::Event& event);
  void tell_all(const PodOrders& orders);
  [[nodiscard]] std::map<std::string, BelievedPod> believed() const;
  boost::asio::awaitable<void> run_worker(std::string uid, std::shared_ptr<PodWorker> worker);

  // What is shown (pod_set_views.cpp).
  void tell(ChangeType type, const PodPtr& pod);
  void seen(const std::string& uid);
  [[nodiscard]] Record* find_record(const std::string& namespace_, const std::string& name) const;

  PodSetServices services_;
  PodSetOptions options_;
  ImagePuller puller_;
  probes::Prober prober_;
  StartTurns turns_;
  StartCalls start_calls_;
  GarbageRounds garbage_;
  PodEnvironment environment_;
  TaskGroup tasks_;
  TaskGroup workers_;

  std::map<std::string, PodPtr> desired_;                   // by uid
  std::map<std::string, std::unique_ptr<Record>> records_;  // by uid
  RuntimeListing found_;                                    // at start, not yet taken by a worker
  std::map<std::string, PodMemoryPtr> recalled_;            // by uid, until its pod is gone
  RuntimeListing first_listing_;
  std::set<cri::SandboxId> foreign_;  // told of
  Broadcast listed_bell_;
  std::vector<std::weak_ptr<PodWatch>> watches_;
  std::map<std::string, int> storing_;   // by uid: verdicts under way to the store
  std::multiset<std::string> cleaning_;  // uids of which the machine is being rid
  Broadcast orders_bell_;
  std::map<std::string, StopNews> unclaimed_;  // stops of ids that no worker knows yet
  std::deque<std::string> unclaimed_order_;
  Notification relist_bell_;
  Notification ready_bell_;
  Notification seen_bell_;
  std::set<std::string> unseen_{};  // found at start, and not shown yet: uids
  bool ready_ = false;
  bool resubscribed_ = false;
  std::uint64_t version_ = 0;
  std::uint64_t missed_events_ = 0;
  std::uint64_t sequence_ = 0;
  struct Reconciling {
    bool now = false;
    bool again = false;
    bool soon = false;                       // next turn
    std::optional<SteadyTime> asks_again{};  // pods that wait for admission
  } reconciling_{};
  bool collecting_ = false;  // next turn
  bool listed_ = false;
  bool desired_known_ = false;
  bool unknown_adopted_ = false;
  bool stopping_ = false;
};

}  // namespace berth::lifecycle
