// SPDX-License-Identifier: Apache-2.0

// What must hold at every instant, checked as things happen.
//
// A Witness of the runtime's truth and the sink of every published status; the world reports to it
// which pods are wanted and what is ordered. The rules are derived here from recorded facts alone,
// never by asking the code under test. After a restart berthd may know what was durable in the
// store at that instant: an order that was not durable may be forgotten, everything else may not.
// The first violation ends the run.
//
// A pod uid can live more than once (a manifest states it; or is written again when nothing is
// known of its first pod any more): a life ends when the pod set reports that nothing is left of
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "lifecycle/pod_events.hpp"
#include "lifecycle/pod_memory.hpp"
#include "tests/simulation/invariants/disturbances.hpp"
#include "tests/simulation/invariants/hook_history.hpp"
#include "tests/simulation/invariants/invariants_listing.hpp"
#include "tests/simulation/runtime/runtime_record.hpp"

namespace berth::simulation {

class AdmissionInvariants;
class SimulatedHost;
class SimulatedRuntime;
class SimulatedStore;

using lifecycle::PodPtr;

// What is checked, until the run has ended.
struct World {
  const SimulatedRuntime* runtime = nullptr;
  const SimulatedHost* host = nullptr;
  const SimulatedStore* store = nullptr;
};

struct EndOrder {
  SteadyTime at{};
  std::chrono::seconds grace{};  // the one in effect: an override, or the pod's own
};

// The status that a pod which was ordered to end, but is kept, must show once it has ended.
struct KeptEnd {
  std::vector<EndOrder> orders{};
  std::string reason{};
  std::string message{};
  std::optional<std::string> disruption{};  // message of DisruptionTarget
  // Reasons of earlier orders: an order that arrives just after the pod's last container has
  // stopped changes nothing.
  std::set<std::string> earlier{};
  bool ran = false;  // it had not finished by itself by the time of the first order
};

struct RestartWindow {
  Nanoseconds window{};
  SteadyTime last_start{};
};

// Whether the pod is among the finished ones that are no longer shown.
enum class Collected : std::uint8_t {
  kNo,
  kGoing,  // it is no longer listed
  kGone,   // and only the verdict is left of it
};

struct PodHistory {
  PodPtr pod{};
  bool desired = false;
  bool may_run = true;     // false: unsupported or refused at admission
  bool admitted = false;   // a sandbox was requested from the runtime
  bool spec_lost = false;  // the agent knows it from the runtime alone
  std::map<std::uint32_t, SteadyTime> sandboxes_asked{};  // by attempt: when last
  std::size_t life = 0;               // instances before this index belong to earlier lives
  PodPtr again{};                     // wanted again while it ends: a new life follows
  std::vector<EndOrder> orders{};     // orders that remove it
  std::optional<KeptEnd> kept_end{};  // set by an order that keeps it
  std::vector<EndOrder> forgotten{};  // by a restart; a runtime may still be carrying them out
  std::optional<SteadyTime> past_deadline_at_start{};  // since when, if a berthd began so
  std::string final_phase{};
  std::string final_reason{};
  std::map<std::string, api::ContainerStatus> ends{};  // as shown with it, by container
  Collected collected = Collected::kNo;
  bool hidden = false;  // deleted by force: it is no longer shown
  std::optional<std::int64_t> grace_shown{};
  PodPtr shown{};
  std::map<std::string, RestartWindow> windows{};  // by container and image
  std::map<std::string, std::int32_t> restarts{};  // the highest count shown, by container

  [[nodiscard]] bool is_ending() const { return !orders.empty() || kept_end; }
  // Oldest first.
  [[nodiscard]] std::vector<EndOrder> all_orders() const;
};

// The hooks of its container of that name; null if it is unknown or has none.
[[nodiscard]] const api::Lifecycle* lifecycle_of(const PodHistory& pod, const std::string& name);

class Invariants final : public Witness, public lifecycle::StatusSink {
 public:
  Invariants(Clock& clock, const Disturbances& disturbances)
      : clock_(clock), disturbances_(disturbances) {}
  Invariants(const Invariants&) = delete;
  Invariants& operator=(const Invariants&) = delete;
  void look_at(const World& world) { world_ = world; }

  // A container that is killed for a failed probe or postStart hook ends alone, whether or not it
  // is its turn, within `grace`; unset for the pod's own grace period.
  void killed_alone(const std::string& id, std::optional<std::chrono::seconds> grace) {
    killed_alone_[id] = grace;
  }

  // An event has reported its stop; the hook that follows may be one that the runtime does not see.
  // `with_pod`: it stops because its pod does, not for a reason of its own.
  void stop_reported(const std::string& id, bool with_pod) {
    reported_stops_.try_emplace(id, ReportedStop{.at = clock_.steady_now(), .with_pod = with_pod});
  }

  // `sink` receives the published statuses as well.
  void also_show(lifecycle::StatusSink& sink) { also_.push_back(&sink); }
  // How many pods may be active at once.
  void set_most_pods(std::int64_t most) { room_.most_pods = most; }

  // What the world does to the agent.
  void pods_desired(const std::vector<PodPtr>& pods, bool first_of_life);
  void follows(const api::Pod& ended, const PodPtr& next);
  // Whether a pod of that name is wanted, and no order to end it was given.
  [[nodiscard]] bool stays_desired(const std::string& name) const;
  // As long as the file of a pod of that name is broken, the pod is wanted as before.
  void file_is_broken(const std::string& name, bool is) {
    if (is)
      broken_.insert(name);
    else
      broken_.erase(name);
  }
  // The pod already runs, with the manifest that the kubelet had.
  void left_by_kubelet(const std::string& uid) {
    goes_on_.insert(uid);
    room_.taken_over = true;
  }
  void folder_changed() { goes_on_.clear(); }
  void ordered_to_end(const std::string& uid, std::optional<std::chrono::seconds> grace);
  void ordered_to_end_and_stay(const std::string& uid, const KeptEnd& end);
  // The grace period that an order gives the pod: an order without one leaves the pod the period of
  // an earlier order, or its own if there was none.
  [[nodiscard]] std::chrono::seconds period_of_order(
      const api::Pod& pod, std::optional<std::chrono::seconds> asked) const;
  void forced(const std::string& uid);
  void deletion_stored(const std::string& uid);
  void agent_restarted();
  // Called while no berthd runs: nothing is known but what the runtime and the manifests contain.
  void state_lost();
  // It was collected: it is no longer listed.
  void is_going(const std::string& uid);

  // Witness
  void sandbox_called(const cri::PodSandboxConfig& config) override;
  void sandbox_created(const SandboxRecord& sandbox) override;
  void sandbox_stop_called(const SandboxRecord& sandbox) override;
  void created(const Instance& instance) override;
  void start_called(const Instance& instance) override;
  void started(const Instance& instance) override;
  void stop_called(const Instance& instance, std::chrono::seconds timeout) override;
  void terminated(const Instance& instance) override;
  void killed(const Instance& instance, KillCause cause) override;
  void exited(const Instance& instance) override {
    hooks_.container_ended(instance, clock_.steady_now());
  }
  void hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) override {
    hooks_.called(instance, kind, clock_.steady_now(), takes);
  }

  // StatusSink
  void published(const PodPtr& pod) override;
  void removed(const PodPtr& pod) override;

  [[nodiscard]] const std::map<std::string, PodHistory>& pods() const { return pods_; }
  [[nodiscard]] ListingInvariants& listing() { return listing_; }
  [[nodiscard]] const HookHistory& hooks() const { return hooks_; }
  [[nodiscard]] SteadyTime agent_began() const { return agent_began_; }
  // Null if no pod of that uid was ever wanted.
  [[nodiscard]] const PodHistory* pod(const std::string& uid) const;
  [[nodiscard]] const std::optional<std::string>& violation() const { return violation_; }
  [[nodiscard]] const Disturbances& disturbances() const { return disturbances_; }
  void violated(std::string what);

  // The pod's instances of this life with that container name, oldest first.
  [[nodiscard]] std::vector<const Instance*> instances(const std::string& uid,
                                                       const std::string& name) const;
  // Whether no disturbance of calls, events or commits has been active since then.
  [[nodiscard]] bool undisturbed_since(SteadyTime time) const;
  [[nodiscard]] bool has_sandboxes(const std::string& uid) const;
  [[nodiscard]] bool is_stored(const std::string& uid) const { return row(uid) != nullptr; }
  // Whether the store or the runtime has something of the pod.
  [[nodiscard]] bool is_known(const std::string& uid) const;
  // Whether the store records it as ended, or ending, for that cause.
  [[nodiscard]] bool is_stored_as(const std::string& uid, lifecycle::EndCause cause) const;
  [[nodiscard]] bool stop_is_stored(const Instance& instance) const;
  // Whether it ran, or was to run, when the state file was lost: what was known of it was lost too.
  [[nodiscard]] bool started_before_loss(const std::string& container_id) const;
  // Whether it was asked to stop, or its preStop hook was run.
  [[nodiscard]] bool stop_began(const Instance& instance) const;
  [[nodiscard]] bool is_killed_alone(const std::string& id) const {
    return killed_alone_.contains(id);
  }
  // What the container has to end, if its stop began then.
  [[nodiscard]] std::chrono::seconds grace_of(const PodHistory& pod, const Instance& instance,
                                              SteadyTime stop_began) const;
  // From when on an order to end the pod may be carried out.
  [[nodiscard]] SteadyTime hooks_let_go(const PodHistory& pod) const;
  // Created after its predecessor had exited, while the runtime does not show that exit yet.
  [[nodiscard]] bool waits_for_exit_to_show(const Instance& instance) const;

 private:
  PodHistory* history(const std::string& uid);
  [[nodiscard]] const lifecycle::PodMemory* row(const std::string& uid) const;
  void desire(const PodPtr& pod, bool first_of_life);
  void withdraw(const std::string& uid, PodHistory& pod, bool first_of_life);
  void restarted(const std::string& uid, PodHistory& pod);
  void replace(PodHistory& pod, const PodPtr& desired, bool first_of_life);
  void begin_unseen(PodHistory& pod, const api::Pod& shown);
  void begin_anew(PodHistory& pod, const PodPtr& desired);
  void begin_again(PodHistory& pod);
  [[nodiscard]] bool is_refused_anew(const api::Pod& pod, const PodHistory& history) const;
  void follow_silently(const std::string& uid, PodHistory& pod);
  bool still_collected(const std::string& uid, PodHistory& pod);
  void check_final(const PodPtr& pod, PodHistory& history);
  void check_ends(const api::Pod& pod, PodHistory& history);
  void check_disruption(const api::Pod& pod, const PodHistory& history);
  void check_kept_end(const api::Pod& pod, const PodHistory& history);
  void restarted_kept(const lifecycle::PodMemory* memory, PodHistory& pod);
  [[nodiscard]] bool stop_was_begun(const std::string& uid, const PodHistory& pod,
                                    SteadyTime ordered) const;
  [[nodiscard]] bool outlived_its_sandbox(const Instance& instance) const;
  void check_not_interrupted(const api::Pod& pod, const PodHistory& history);
  void check_grace_shown(const api::Pod& pod, PodHistory& history);
  [[nodiscard]] bool has_ready_sandbox(const std::string& uid) const;
  // Whether the runtime removed a sandbox of the pod since then.
  [[nodiscard]] bool left_since(const std::string& uid, SteadyTime instant) const;
  void check_stop_signal(const Instance& instance);
  void check_durable(const Instance& instance);
  void check_predecessor(const Instance& instance);
  void check_name_is_free(const api::Pod& pod);
  void check_serves_somebody(const PodHistory& pod, const Instance& instance);
  void check_policy(const PodHistory& pod, const Instance& instance);
  void check_backoff(PodHistory& pod, const Instance& instance);
  void check_order(const PodHistory& pod, const Instance& instance);
  void check_room(const api::Pod& pod);
  void check_not_late(const PodHistory& pod, const Instance& instance, SteadyTime began);
  void check_not_idle(const Instance& instance, Nanoseconds waited, Nanoseconds window);
  void check_has_reason(const PodHistory& pod, const Instance& instance);
  // For a stop that an earlier berthd began: its age is measured by the wall clock.
  [[nodiscard]] bool stop_age_unknown(SteadyTime began) const {
    return disturbances_.wall_jumped_within(began, agent_began_);
  }
  [[nodiscard]] bool start_came_late(const Instance& instance) const;
  void check_stays_deleted(const std::string& uid);
  [[nodiscard]] std::chrono::seconds grace_of(const PodHistory& pod, SteadyTime stop_began) const;
  [[nodiscard]] SteadyTime mains_ended(const PodHistory& pod, const Instance& instance) const;
  [[nodiscard]] SteadyTime stop_began(const PodHistory& pod, const Instance& instance) const;

  Clock& clock_;
  const Disturbances& disturbances_;
  World world_{};
  std::vector<lifecycle::StatusSink*> also_{};
  ListingInvariants listing_{*this};
  HookHistory hooks_{};
  struct Room {
    std::int64_t most_pods = 0;
    bool taken_over = false;  // any pod was a kubelet's
  };
  Room room_{};
  std::map<std::string, std::optional<std::chrono::seconds>> killed_alone_{};  // by container id
  struct ReportedStop {
    SteadyTime at{};
    bool with_pod = false;  // not for a reason of its own
  };
  std::map<std::string, ReportedStop> reported_stops_{};  // by container id
  SteadyTime agent_began_{};
  // When each stop had begun that a berthd found in the store, by container id.
  std::map<std::string, SteadyTime> stops_at_start_{};
  std::map<std::string, PodHistory> pods_{};
  std::map<std::string, std::string> successors_{};  // of deleted incarnations
  // The next berthd wants the pods that run under these uids, which it knows from no store.
  std::set<std::string> goes_on_{};
  std::set<std::string> broken_{};  // names of pods, by their files
  std::optional<std::string> violation_{};
};

class ConditionInvariants;
class PressureInvariants;
class ProbeInvariants;
class ShutdownInvariants;

struct Ended {
  const Invariants& invariants;
  const AdmissionInvariants& admission;
  const ProbeInvariants& probes;
  const ConditionInvariants& conditions;
  const PressureInvariants& pressure;
  const ShutdownInvariants& shutdown;
  const SimulatedRuntime& runtime;
  const SimulatedHost& host;
  const SimulatedStore& store;
  std::string settings{};  // the version that volumes of the ConfigMap have to show
};

// After faults have stopped and time has passed: what is shown is the truth, wanted pods run,
// unwanted pods have left no trace. Returns the first thing that is not so; unset if settled.
[[nodiscard]] std::optional<std::string> unsettled(const Ended& ended, SteadyTime now,
                                                   const std::vector<PodPtr>& shown);

}  // namespace berth::simulation
