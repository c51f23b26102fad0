// SPDX-License-Identifier: Apache-2.0

// The worker of one pod: the only actor for it, from the moment the pod is first seen until its
// last trace is gone.
//
// One coroutine (`run`), one mailbox. Each turn: absorb orders and events, publish the status,
// compute the plan, carry it out as far as possible without waiting, wait for the next event.
// Whatever takes long (stopping a container, pulling an image) is a child task that reports back,
// so that the worker keeps listening. The worker does not list again what it did itself:
// `observed_` is kept up to date from its own calls, and read anew only at the start, when the
// outcome of a call is unknown, or when somebody reports it stale.
//
// Its states: worker/pod_course.hpp. Once nothing is left, run() returns.
//
// Cancelling run() ends the worker and leaves the pod as it is. Loop thread only; the environment
// outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "api/pod.hpp"
#include "base/notification.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"
#include "cri/runtime.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/pod_status.hpp"
#include "lifecycle/worker/hook_runner.hpp"
#include "lifecycle/worker/observed_pod.hpp"
#include "lifecycle/worker/pod_activity.hpp"
#include "lifecycle/worker/pod_course.hpp"
#include "lifecycle/worker/pod_environment.hpp"
#include "lifecycle/worker/pod_keeper.hpp"
#include "lifecycle/worker/pod_mailbox.hpp"
#include "lifecycle/worker/pod_setup.hpp"
#include "lifecycle/worker/pod_teller.hpp"
#include "lifecycle/worker/probes/pod_probes.hpp"
#include "lifecycle/worker/shown_status.hpp"
#include "lifecycle/worker/starts/container_starts.hpp"
#include "lifecycle/worker/stops/container_stops.hpp"
#include "lifecycle/worker/timetable.hpp"
#include "node/container/environment.hpp"
#include "node/container_gc.hpp"

namespace berth::lifecycle {

enum class StopScope : std::uint8_t;
struct ContainerToStop;
struct ShorterCall;
struct StopCall;
struct StopsInput;
struct StopsStep;

// Whether the request itself was refused: then nothing was done, and there is nothing to look for.
[[nodiscard]] bool outcome_known(ErrorCode code);
// The pod with its deletionTimestamp.
[[nodiscard]] std::shared_ptr<api::Pod> being_deleted(const api::Pod& pod, const EndInForce& end);

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
  void probe_reported(const probes::ProbeEvent& told);

  [[nodiscard]] WorkerState state() const { return course_.state(); }
  // Whether nothing of the pod starts any more.
  [[nodiscard]] bool ending() const { return course_.ends() || mailbox_.orders().end; }
  [[nodiscard]] bool owns(const std::string& id) const { return observed_.owns(id); }
  [[nodiscard]] BelievedPod believed() const;
  // How the pod ends, including an order that still waits in the mailbox. Unset if it should run,
  // or has finished by itself.
  [[nodiscard]] std::optional<EndInForce> ordered_end() const;
  // Whether nothing of the pod runs, and its volumes and cgroup are gone.
  [[nodiscard]] bool is_released() const { return setup_.is_released(); }
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
  enum class StartOutcome : std::uint8_t { kStarted, kWaiting, kNotStarted };

  // The loop (pod_worker.cpp).
  boost::asio::awaitable<void> live();
  boost::asio::awaitable<void> absorb();
  boost::asio::awaitable<bool> advance();
  void attend_probes();
  [[nodiscard]] bool is_new() const;
  boost::asio::awaitable<void> rest(SteadyTime turn_began);
  void take_end(const Ending& order);
  [[nodiscard]] std::optional<EndInForce> end_with(const Ending& order) const;
  [[nodiscard]] std::string_view phase_for_orders() const;
  void put_in_force(const EndInForce& end, std::int64_t previous, bool first);
  void exceed_deadline();
  [[nodiscard]] const ShownFailure* shown_failure() const;
  void take_conditions(const std::map<std::string, api::PodCondition>& conditions);
  boost::asio::awaitable<void> keep_orders(bool ordered);
  void remember_order();
  void remember_at_once();
  void enter(WorkerState state, std::string_view why);

  // What outlives berthd (pod_worker_memory.cpp).
  void begin_from(const PodMemory& memory);
  void recall(const PodMemory& memory);
  void forget_ended_stops();
  boost::asio::awaitable<bool> remembered(Numbers numbers = Numbers::kToldByRuntime);
  void store_failed(const Error& error);
  void begin_to_remember();
  boost::asio::awaitable<bool> known_to_store();
  // True if there was something to store, for which this waited.
  boost::asio::awaitable<bool> remember_for_stop();
  void remember_later();
  void begin_commit();
  boost::asio::awaitable<void> store_memory();

  // What is published and reported (pod_worker_report.cpp).
  void refresh();
  // Returns the record's id; empty if the phase has not changed.
  std::string record_phase(const PodStatusInput& input, bool containers_may_run,
                           const PhaseDecision& published);
  void record_readiness(const PodStatusInput& input, const api::PodStatus& published);
  void record_containers(const PodStatusInput& input, bool decided,
                         const api::PodStatus& published);
  void show(api::PodStatus stamped, const std::string& decision = {});
  void show_order();
  [[nodiscard]] std::shared_ptr<api::Pod> as_ordered() const;
  [[nodiscard]] RuntimePod runtime_view() const;
  [[nodiscard]] NodeAddresses node_addresses() const;
  [[nodiscard]] bool containers_may_run() const;

  // What the runtime has (pod_observation.cpp).
  boost::asio::awaitable<bool> observe();
  void observation_failed(const Error& error);
  void remember_attempts();
  void ask_for_ends_before();
  cri::Call<ObservedPod> inspect(ListedPod listed);
  boost::asio::awaitable<cri::ContainerStatus> with_termination_message(
      cri::ContainerStatus status);
  void note_stop(const std::string& id, const StopNews& news);
  void ask_whether_ended(const std::string& id);
  void take_up_ends_shown();
  void report_exit(const cri::ContainerStatus& status, bool reported_before);
  void report_found_exits(const ObservedPod& seen);
  void show_exit_at_once(const ObservedContainer& container, const StopNews& news);
  boost::asio::awaitable<void> complete_exit_shown(std::string id);
  boost::asio::awaitable<void> ask_for_stops();
  boost::asio::awaitable<bool> ask_for_stop(std::string id);
  boost::asio::awaitable<bool> ask_for_sandbox_stop(std::string id);

  // Carrying out the plan (pod_sync.cpp).
  boost::asio::awaitable<bool> sync();
  struct Decided {
    Plan plan{};
    std::string record{};  // its id in the ledger
  };
  [[nodiscard]] Decided decide();
  void note_refusals(const Plan& plan, const std::string& decision);
  boost::asio::awaitable<bool> carry_out(PodActions actions);
  void report_sandbox_change(std::uint32_t attempt);
  boost::asio::awaitable<bool> kill_pod();
  boost::asio::awaitable<bool> start_containers(PodActions actions);
  boost::asio::awaitable<bool> prepare_and_remember();
  [[nodiscard]] bool sandbox_refused();
  boost::asio::awaitable<bool> create_sandbox(std::uint32_t attempt);
  boost::asio::awaitable<bool> sandbox_created(cri::SandboxId id);

  // Garbage (pod_garbage.cpp).
  [[nodiscard]] node::PodContent content() const;
  [[nodiscard]] node::GcInput garbage_input(node::PodContent content, Collection collection) const;
  [[nodiscard]] bool has_garbage() const;
  boost::asio::awaitable<bool> collect(node::PodContent content,
                                       Collection collection = Collection::kRemains);
  boost::asio::awaitable<bool> remove_strays();
  boost::asio::awaitable<void> trim();
  boost::asio::awaitable<bool> remove_init_containers();
  boost::asio::awaitable<bool> remove_created_beside(std::string id);
  boost::asio::awaitable<bool> remove_container(std::string id);
  boost::asio::awaitable<bool> remove_sandbox(cri::SandboxId id);

  // What the next calls will need, while the runtime is busy (pod_look_ahead.cpp).
  [[nodiscard]] std::vector<std::string> never_started() const;
  void begin_look_ahead();
  boost::asio::awaitable<void> look_ahead();
  boost::asio::awaitable<void> look_for_image(std::string name);
  void begin_files_ahead(const std::string& but);
  boost::asio::awaitable<void> make_files_ahead(std::vector<std::string> names);
  std::optional<ImageFound> image_seen(const std::string& name);

  // One container (container_start.cpp, container_image.cpp).
  boost::asio::awaitable<StartOutcome> start(std::string name);
  boost::asio::awaitable<std::optional<std::uint32_t>> restart_count(std::string name);
  boost::asio::awaitable<std::optional<node::ContainerFiles>> files_of(std::string name,
                                                                       std::uint32_t attempt);
  boost::asio::awaitable<std::optional<std::string>> create(std::string name, ImageFound image);
  boost::asio::awaitable<bool> start_created(std::string name, std::string id);
  boost::asio::awaitable<void> started(std::string name, std::string id);
  boost::asio::awaitable<std::optional<ImageFound>> ready_image(std::string name);
  boost::asio::awaitable<std::optional<ImageFound>> find_image(std::string name);
  boost::asio::awaitable<std::optional<ImageFound>> pulled_image(std::string name);
  boost::asio::awaitable<void> pull_image(std::string name, cri::ImageSpec image,
                                          cri::PodSandboxConfig sandbox_config,
                                          std::vector<cri::AuthConfig> credentials);
  void begin_pull_in_its_turn(const std::string& name);
  void begin_pull(const std::string& name);
  void pull_failed(const std::string& name, const std::string& image, const Error& error);
  void image_unusable(const std::string& name, std::string_view reason,
                      std::string_view event_reason, const std::string& message);
  void image_failed(const std::string& name, std::string_view reason, std::string_view event_reason,
                    const std::string& message);
  void inspect_failed(const std::string& name, const Error& error);
  void start_failed(const std::string& name, std::string_view reason, const Error& error);
  [[nodiscard]] cri::ContainerStatus created_status(const cri::ContainerConfig& config,
                                                    const std::string& log_directory) const;
  void settle_pending_starts();

  // Volumes, environment, credentials (pod_volumes.cpp).
  void take_objects();
  boost::asio::awaitable<void> ask_for_recursive_read_only();
  [[nodiscard]] node::EnvironmentSources environment_sources() const;
  boost::asio::awaitable<std::optional<node::SubPaths>> mount_sub_paths(std::string name);
  [[nodiscard]] Result<std::vector<cri::AuthConfig>> pull_credentials(const std::string& image);

  // Hooks (pod_hooks.cpp).
  [[nodiscard]] HookCall hook_call(const std::string& name, const std::string& id,
                                   const api::LifecycleHandler& handler) const;
  [[nodiscard]] bool has_post_start(const std::string& name) const;
  void begin_post_start(const std::string& name, const std::string& id);
  boost::asio::awaitable<void> post_start(std::string name, HookCall call);
  void absorb_post_starts();
  void post_start_failed(const std::string& name, const std::string& id);
  [[nodiscard]] bool awaits_post_start();
  [[nodiscard]] std::map<std::string, cri::ContainerId> post_starts_under_way() const;
  boost::asio::awaitable<void> begin_pre_stops(std::vector<std::string> ids);
  boost::asio::awaitable<void> pre_stop(std::string name, HookCall call);
  void report_killing(const std::string& id, const std::string& decision);

  // Stopping (pod_termination.cpp).
  boost::asio::awaitable<bool> end();
  boost::asio::awaitable<bool> ended();
  boost::asio::awaitable<void> keep_final();
  boost::asio::awaitable<void> remove_latecomers();
  boost::asio::awaitable<bool> remove();
  boost::asio::awaitable<bool> stop_everything();
  boost::asio::awaitable<bool> stop_sandboxes();
  boost::asio::awaitable<bool> clean_host();
  boost::asio::awaitable<bool> clean_up(KeepLogs logs);
  boost::asio::awaitable<bool> started_meanwhile(std::vector<std::string> created);
  void ask_how_ended(const std::vector<std::string>& ids);
  void record_ended_with_sandbox(const std::string& sandbox);
  boost::asio::awaitable<void> stop_container(std::string id, std::chrono::seconds timeout,
                                              SteadyTime kill_at);
  boost::asio::awaitable<void> absorb_stop_reports();
  boost::asio::awaitable<void> absorb_stop(std::string id);
  [[nodiscard]] StopsInput stops_input(StopScope scope);
  [[nodiscard]] ContainerToStop to_stop(const ObservedContainer& container, KillReason reason,
                                        const Instant& now);
  boost::asio::awaitable<StopsStep> advance_stops(StopScope scope);
  void note(const StopsInput& input, const StopsStep& step);
  boost::asio::awaitable<void> call_stops(std::vector<StopCall> calls);
  void call_stop(const std::string& id, std::chrono::seconds timeout);
  boost::asio::awaitable<void> kill_containers(std::vector<ContainerKill> kills);
  boost::asio::awaitable<void> advance_kills();
  [[nodiscard]] bool holds_others(const std::string& id) const;
  [[nodiscard]] bool stops_hold_others() const;
  void order_stops(bool lives);
  boost::asio::awaitable<bool> remember_reaching(std::vector<std::string> ids);
  [[nodiscard]] bool order_waits() const;
  void shorten_stops();
  void shorten_again(const ShorterCall& call);
  [[nodiscard]] StopGrace grace_of(const std::string& name, KillReason reason) const;

  [[nodiscard]] Instant instant() const;
  [[nodiscard]] bool is_regular(const std::string& name) const;
  [[nodiscard]] const api::Container* container_spec(const std::string& name) const;
  [[nodiscard]] const cri::PodSandboxStatus* ready_sandbox() const;

  const PodEnvironment& env_;
  StartTurns::Place place_;  // held until the first sandbox
  PodPtr pod_;               // as desired, with deletionTimestamp once it is to be removed
  PodTeller teller_;
  PodCourse course_;
  PodMailbox mailbox_;
  TaskGroup children_;
  Timetable timetable_;
  ObservedPod observed_;
  PodKeeper keeper_;
  ContainerStops stops_;
  PodProbes probes_;
  ContainerStarts starts_;
  PodSetup setup_;
  Notification files_bell_;  // rings when files of a container were made ahead, or could not be
  ShownStatus status_;
};

}  // namespace berth::lifecycle
