// SPDX-License-Identifier: Apache-2.0

// The end of a run: faults have stopped long ago, and everything must be as it should.
#include <algorithm>

#include <fmt/core.h>

#include "lifecycle/ending.hpp"
#include "node/container/container_config.hpp"
#include "tests/simulation/admission/admission_invariants.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/invariants_conditions.hpp"
#include "tests/simulation/invariants/invariants_probes.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/pressure/pressure_invariants.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/shutdown/shutdown_invariants.hpp"
#include "tests/simulation/simulated_host.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

// Younger changes may still be on their way to the status.
constexpr seconds kFresh{5};
// The longest backoff, a slow pull, and a little for the start itself.
constexpr seconds kLongestWait{345};
// More if the wall clock was wrong: exits were recorded in its time.
constexpr seconds kLongestError{400};

using Trouble = std::optional<std::string>;

Trouble leftovers(const Invariants& invariants, const SimulatedRuntime& runtime,
                  const SimulatedHost& host) {
  const auto desired = [&](const std::string& uid) {
    const auto pod = invariants.pods().find(uid);
    return pod != invariants.pods().end() && pod->second.desired &&
           pod->second.collected == Collected::kNo;
  };
  for (const auto& sandbox : runtime.sandboxes()) {
    if (!sandbox.removed && !desired(sandbox.config.metadata.uid)) {
      return fmt::format("a sandbox of {} is left", sandbox.config.metadata.uid);
    }
  }
  for (const auto& instance : runtime.instances()) {
    if (!instance.removed && !desired(instance.pod_uid)) {
      return fmt::format("container {} of {} is left", instance.name, instance.pod_uid);
    }
  }
  for (const auto& uid : host.pods()) {
    if (!desired(uid)) return fmt::format("of {} is left:{}", uid, host.left_of(uid));
  }
  return std::nullopt;
}

// A row belongs to a wanted pod, or to an ended one whose successor is not stored yet.
Trouble rows(const Invariants& invariants, const SimulatedStore& store) {
  for (const auto& [uid, memory] : store.rows()) {
    const auto pod = invariants.pods().find(uid);
    if (pod != invariants.pods().end() && pod->second.desired) continue;
    const bool followed = memory->verdict == lifecycle::Verdict::kEnded &&
                          std::ranges::any_of(invariants.pods(), [&](const auto& entry) {
                            return entry.second.desired &&
                                   entry.second.pod->metadata.name == memory->pod->metadata.name;
                          });
    if (!followed) return fmt::format("the store still has {}", uid);
  }
  return std::nullopt;
}

bool waits_for_scheduler(const api::Pod& shown) {
  return std::ranges::any_of(shown.status.conditions, [](const api::PodCondition& condition) {
    return condition.type == "PodScheduled" && condition.status == "False";
  });
}

bool obtainable(const api::Container& container) {
  const bool present = container.image.starts_with("present/");
  if (container.imagePullPolicy == "Never") return present;
  return !container.image.starts_with("missing/");
}

bool restarts(const api::PodSpec& spec, const api::Container& container, bool init,
              std::int32_t exit_code) {
  if (init && is_sidecar(container)) return true;
  return (!init || exit_code != 0) && restarts_after(spec, container, exit_code);
}

using Turn = std::optional<SteadyTime>;

class PodCheck {
 public:
  PodCheck(const Invariants& invariants, const PodHistory& history, const api::Pod& shown,
           SteadyTime now, bool lost_sandbox)
      : invariants_(invariants),
        history_(history),
        shown_(shown),
        now_(now),
        lost_sandbox_(lost_sandbox) {}

  Trouble run() {
    const auto& spec = history_.pod->spec;
    if (lifecycle::is_evicted(shown_.status) && is_in_runtime())
      return fmt::format("{} was evicted, and the runtime still has containers of it",
                         shown_.metadata.uid);
    if (!history_.may_run || runs_again()) return std::nullopt;
    // Under policy Never a lost sandbox is not recreated: the pod stays as it is.
    if (spec.restartPolicy == "Never" && lost_sandbox_) return check_over();
    const bool final = !history_.final_phase.empty();
    if (!final && seems_completed()) return std::nullopt;
    if (history_.kept_end && !final)
      return fmt::format("{} was ordered to end as {}, and is {}", shown_.metadata.uid,
                         history_.kept_end->reason, shown_.status.phase);
    // Since when everything before has done its part; unset if it has not.
    Turn turn = final ? Turn() : SteadyTime();
    for (const auto& container : spec.initContainers) {
      if (auto trouble = check(container, true, turn)) return trouble;
      turn = after(turn, container);
    }
    for (const auto& container : spec.containers) {
      if (auto trouble = check(container, false, turn)) return trouble;
    }
    return final ? std::nullopt : check_phase();
  }

 private:
  bool is_in_runtime() const {
    const auto& spec = history_.pod->spec;
    for (const auto* list : {&spec.initContainers, &spec.containers})
      for (const api::Container& container : *list)
        for (const Instance* one :
             invariants_.instances(history_.pod->metadata.uid, container.name))
          if (!one->removed) return true;
    return false;
  }
  const Instance* last(const api::Container& container) const {
    const auto all = invariants_.instances(history_.pod->metadata.uid, container.name);
    for (auto i = all.rbegin(); i != all.rend(); ++i) {
      if ((*i)->started || (*i)->exited) return *i;  // a failed start counts as a run that ended
    }
    return nullptr;
  }

  seconds longest_wait() const {
    return invariants_.disturbances().wall_jumped() ? kLongestWait + kLongestError : kLongestWait;
  }

  // Only the lost state file knew that its containers were stopped for a new sandbox. Their exit
  // codes say that the pod has completed; as in the kubelet, it stays Pending if the records of its
  // init containers were already removed for that sandbox.
  bool seems_completed() const {
    const auto& spec = history_.pod->spec;
    return spec.restartPolicy == "OnFailure" && lost_sandbox_ &&
           invariants_.disturbances().lost_state() &&
           std::ranges::all_of(spec.containers, [this](const api::Container& container) {
             const auto* instance = last(container);
             return instance != nullptr && instance->exited && instance->exit_code == 0;
           });
  }

  // It may have replaced an UNKNOWN instance that its policy lets end: the kubelet also keeps
  // showing that one.
  bool replaces_lost(const api::Container& container) const {
    const auto all = invariants_.instances(history_.pod->metadata.uid, container.name);
    return policy_of(history_.pod->spec, container) == "Never" &&
           std::ranges::any_of(all, &Instance::sight_lost);
  }

  // An instance that was only created counts too, though it is removed when the pod has ended.
  std::uint32_t newest_attempt(const std::string& container) const {
    std::uint32_t newest = 0;
    for (const auto* instance : invariants_.instances(history_.pod->metadata.uid, container)) {
      if (!instance->removed || !instance->started)
        newest = std::max(newest, instance->config.metadata.attempt);
    }
    return newest;
  }

  // Unless the policy is Always, a status in which a container that had ended runs again is
  // withheld as an illegal transition until it has ended again: an init container in a new sandbox,
  // and one of a pod whose deletion a full disk forgot when nothing was left of it.
  bool runs_again() const {
    const auto& spec = history_.pod->spec;
    if (spec.restartPolicy == "Always") return false;
    const auto again = [&](const api::Container& container) {
      const auto all = invariants_.instances(history_.pod->metadata.uid, container.name);
      return !is_sidecar(container) && all.size() > 1 && !all.back()->exited &&
             all.front()->exited.has_value();
    };
    return std::ranges::any_of(spec.initContainers, again) ||
           (!history_.forgotten.empty() && std::ranges::any_of(spec.containers, again));
  }

  // A sidecar that is restarted makes all after it wait again, while no main container runs.
  Turn after(Turn turn, const api::Container& init) const {
    const auto* instance = last(init);
    if (!turn || instance == nullptr) return std::nullopt;
    if (is_sidecar(init) && init.startupProbe) return std::nullopt;  // it may fail for ever
    // A new sandbox begins with this container, and its image may have gone meanwhile.
    if (lost_sandbox_ && !obtainable(init)) return std::nullopt;
    if (is_sidecar(init))
      return instance->live() ? Turn(std::max(*turn, *instance->started)) : std::nullopt;
    const bool completed = instance->exited && instance->exit_code == 0;
    return completed ? Turn(std::max(*turn, *instance->exited)) : std::nullopt;
  }

  // Whether a postStart hook that takes long or fails keeps its container from being shown.
  static bool post_start_disturbs(const api::Container& container) {
    if (!container.lifecycle || !container.lifecycle->postStart) return false;
    const auto& handler = *container.lifecycle->postStart;
    if (handler.httpGet) return true;
    const auto hook = handler.exec ? read_hook(handler.exec->command) : std::nullopt;
    return hook && (hook->exit_code != 0 || hook->takes > seconds(3));
  }
  static bool post_start_hangs(const api::Container& container) {
    if (!container.lifecycle || !container.lifecycle->postStart) return false;
    const auto& handler = *container.lifecycle->postStart;
    const auto hook = handler.exec ? read_hook(handler.exec->command) : std::nullopt;
    return hook && hook->takes > seconds(3);
  }

  bool post_starts_disturb() const {
    const auto& spec = history_.pod->spec;
    return std::ranges::any_of(spec.containers, post_start_disturbs) ||
           std::ranges::any_of(spec.initContainers, post_start_disturbs);
  }

  // Containers wait while another one's hook runs, and for sidecars whose hooks fail.
  bool waits_for_hooks(const api::Container& container) const {
    const auto& spec = history_.pod->spec;
    return post_start_disturbs(container) ||
           std::ranges::any_of(spec.containers, post_start_hangs) ||
           std::ranges::any_of(spec.initContainers, post_start_disturbs);
  }

  // While a main container that a kubelet started runs, the init containers count as having had
  // their turn; those that an edit added since are never started.
  bool skipped(const api::Container& init) const {
    if (is_sidecar(init) || last(init) != nullptr) return false;
    return std::ranges::any_of(history_.pod->spec.containers, [this](const auto& container) {
      const auto all = invariants_.instances(history_.pod->metadata.uid, container.name);
      return std::ranges::any_of(all, [](const Instance* instance) {
        return !instance->config.annotations.contains(node::kAnnotationSpecImage);
      });
    });
  }

  Trouble check(const api::Container& container, bool init, Turn turn) {
    if (waits_for_hooks(container)) return std::nullopt;
    const auto& uid = shown_.metadata.uid;
    const auto* instance = last(container);
    if (instance == nullptr) {
      if (!turn || now_ - *turn < kFresh || !obtainable(container)) return std::nullopt;
      if (init && skipped(container)) return std::nullopt;
      return fmt::format("{} of {} was never started", container.name, uid);
    }
    const bool live = instance->live();
    const auto changed = live ? *instance->started : *instance->exited;
    if (!live && turn && restarts(history_.pod->spec, container, init, instance->exit_code) &&
        now_ - std::max(*turn, *instance->exited) > longest_wait() && obtainable(container)) {
      return fmt::format("{} of {} was not started again", container.name, uid);
    }
    if (now_ - changed < kFresh) return std::nullopt;
    return check_status(container, *instance, init);
  }

  Trouble check_status(const api::Container& container, const Instance& instance, bool init) {
    const auto& list = init ? shown_.status.initContainerStatuses : shown_.status.containerStatuses;
    const auto status = std::ranges::find(list, container.name, &api::ContainerStatus::name);
    const auto who = fmt::format("{} of {}", container.name, shown_.metadata.uid);
    if (status == list.end()) return who + " is not in the status";
    const auto attempt = static_cast<std::int32_t>(instance.config.metadata.attempt);
    const auto newest = static_cast<std::int32_t>(newest_attempt(container.name));
    // An instance whose record is gone counts as lost, and adds one restart; as in the kubelet, so
    // does one that was UNKNOWN.
    const bool lost =
        (instance.removed || instance.sight_lost) && status->restartCount == attempt + 1;
    // Once its record is removed from the runtime, only the state file knows the number.
    const bool forgotten = invariants_.disturbances().lost_state() && instance.removed &&
                           status->restartCount < attempt;
    if (status->restartCount != attempt && status->restartCount != newest && !lost && !forgotten) {
      return fmt::format("{} is shown with {} restarts and has {}", who, status->restartCount,
                         attempt);
    }
    if (instance.live()) {
      if (!status->state.running && !replaces_lost(container))
        return who + " runs and is not shown as running";
      if (status->stopSignal != stop_signal_of(history_.pod->spec, container.name))
        return fmt::format("{} is shown with stop signal {}", who,
                           status->stopSignal.value_or("none"));
      return std::nullopt;
    }
    // A container that was stopped to be restarted is shown so until its successor exists, which
    // may require an image pull.
    if (status->state.running && instance.first_stop_called) return std::nullopt;
    if (status->state.running) return who + " is shown as running and does not";
    const auto& ended =
        status->state.terminated ? status->state.terminated : status->lastState.terminated;
    // A failed start after the end was published: all that was known was that it had not run, or
    // had ended.
    if (!history_.final_phase.empty() && !instance.started) return std::nullopt;
    // A new sandbox begins with no record of its init containers. Once the runtime has removed any
    // other container, only the state file knows that it ran.
    if (!ended && instance.removed && (init || invariants_.disturbances().lost_state()))
      return std::nullopt;
    if (!ended) return who + " has ended and the status does not say how";
    // The exit may be unknown by now if the record is gone, or if only an instance that was never
    // started follows.
    if (instance.removed || newest > attempt) return std::nullopt;
    if (ended->exitCode != instance.exit_code && ended->exitCode != 128) {
      return fmt::format("{} ended with {} and is shown with {}", who, instance.exit_code,
                         ended->exitCode);
    }
    return std::nullopt;
  }

  // All containers have ended, and with them the pod.
  Trouble check_over() const {
    for (const auto& container : history_.pod->spec.containers) {
      const auto* instance = last(container);
      if (instance == nullptr || !instance->exited || container.restartPolicy) return std::nullopt;
      // Once its record is removed from the runtime, only the state file knows that it ever ran.
      if (instance->removed && invariants_.disturbances().lost_state()) return std::nullopt;
    }
    if (post_starts_disturb() || is_terminal(shown_.status.phase)) return std::nullopt;
    return fmt::format("{} has lost its sandbox and all that ran, and its phase is {}",
                       shown_.metadata.uid, shown_.status.phase);
  }

  Trouble check_phase() const {
    const auto& spec = history_.pod->spec;
    const auto& uid = shown_.metadata.uid;
    // Without a record of an init container the pod is Pending, as in Kubernetes 1.34; so it is as
    // long as a sidecar has never run, even if all others do.
    bool all_run = std::ranges::none_of(spec.initContainers, [this](const auto& init) {
      return skipped(init) || (is_sidecar(init) && last(init) == nullptr);
    });
    // While the last sidecar has not started up, the pod counts as not yet initialised if no main
    // container runs, even after they have all ended: the kubelet continues with its sidecars.
    Turn sidecars_run = SteadyTime();
    if (!spec.initContainers.empty() && is_sidecar(spec.initContainers.back()))
      sidecars_run = after(SteadyTime(), spec.initContainers.back());
    bool all_ended_for_good = sidecars_run.has_value();
    for (const auto& container : spec.containers) {
      const auto* instance = last(container);
      all_run = all_run && instance != nullptr && instance->live();
      all_ended_for_good = all_ended_for_good && instance != nullptr && !instance->live() &&
                           !instance->first_stop_called &&  // it was to be restarted, as it may be
                           !restarts(spec, container, false, instance->exit_code) &&
                           now_ - std::max(*instance->exited, *sidecars_run) > seconds(60);
    }
    if (all_run && shown_.status.phase != "Running" && !post_starts_disturb()) {
      return fmt::format("everything of {} runs and its phase is {}", uid, shown_.status.phase);
    }
    if (all_ended_for_good) {
      return fmt::format("{} has ended for good and its phase is {}", uid, shown_.status.phase);
    }
    if (spec.activeDeadlineSeconds && !post_starts_disturb()) {
      return fmt::format("{} is past its deadline and its phase is {}", uid, shown_.status.phase);
    }
    return std::nullopt;
  }

  const Invariants& invariants_;
  const PodHistory& history_;
  const api::Pod& shown_;
  SteadyTime now_;
  bool lost_sandbox_;
};

// Whatever happened while the ConfigMap changed, running pods mount its last version.
Trouble stale_volumes(const Ended& ended, const api::Pod& pod) {
  const auto& uid = pod.metadata.uid;
  const auto shown = [&pod](const auto api::Volume::*source) {
    return std::ranges::any_of(
        pod.spec.volumes, [source](const api::Volume& each) { return (each.*source).has_value(); });
  };
  const bool secret = shown(&api::Volume::secret);
  const bool shows_it = secret || shown(&api::Volume::configMap);
  const bool runs = std::ranges::any_of(ended.runtime.instances(), [&uid](const Instance& one) {
    return one.pod_uid == uid && one.live();
  });
  if (!shows_it || !runs) return std::nullopt;
  const auto volumes = ended.host.volumes_of(uid);
  const auto* map =
      volumes.objects ? volumes.objects->config_map(pod.metadata.namespace_, kSettings) : nullptr;
  auto version = map == nullptr ? std::string("none") : map->data.at(kSettingsKey);
  if (secret) {
    const auto* known =
        volumes.objects ? volumes.objects->secret(pod.metadata.namespace_, kSettings) : nullptr;
    version = known == nullptr ? "none" : known->data.at(kSettingsKey).data;
  }
  if (version == ended.settings) return std::nullopt;
  return fmt::format("volumes of {} show version {} of the ConfigMap or Secret, not {}", uid,
                     version, ended.settings);
}

// Its verdict is kept as long as its manifest exists, and the pod is not shown.
Trouble collected(const Ended& ended, const std::string& uid, std::ptrdiff_t listed) {
  if (listed > 0) return uid + " was collected and is listed";
  const auto row = ended.store.rows().find(uid);
  if (row == ended.store.rows().end()) return uid + " was collected, and the store does not know";
  if (row->second->verdict == lifecycle::Verdict::kCollected) return std::nullopt;
  return uid + " was collected, and the store has another verdict";
}

// Two manifests can name the same pod: one of them waits.
bool name_is_taken(const api::Pod& pod, const std::vector<PodPtr>& shown) {
  return std::ranges::any_of(shown, [&](const PodPtr& other) {
    return other->metadata.name == pod.metadata.name && other->metadata.uid != pod.metadata.uid;
  });
}

}  // namespace

std::optional<std::string> unsettled(const Ended& ended, SteadyTime now,
                                     const std::vector<PodPtr>& shown) {
  const auto& invariants = ended.invariants;
  if (auto left = leftovers(invariants, ended.runtime, ended.host)) return left;
  if (auto left = rows(invariants, ended.store)) return left;
  for (const auto& [uid, history] : invariants.pods()) {
    const auto count =
        std::ranges::count_if(shown, [&](const PodPtr& pod) { return pod->metadata.uid == uid; });
    if (!history.desired && count > 0) return uid + " is still shown and not desired";
    if (!history.desired) continue;
    if (history.collected != Collected::kNo) {
      if (auto trouble = collected(ended, uid, count)) return trouble;
      if (!history.shown || name_is_taken(*history.pod, shown)) continue;
      if (auto trouble = ended.pressure.unsettled(*history.shown)) return trouble;
      continue;
    }
    if (count == 0 && name_is_taken(*history.pod, shown)) continue;
    if (count != 1) return fmt::format("{} is desired and shown {} times", uid, count);
    const auto pod =
        std::ranges::find_if(shown, [&](const PodPtr& p) { return p->metadata.uid == uid; });
    if (auto trouble = ended.pressure.unsettled(**pod)) return trouble;
    if (auto trouble = ended.shutdown.unsettled(**pod)) return trouble;
    const auto row = ended.store.rows().find(uid);
    // A pod that replaced it under the same uid may be of a kind that is not run at all.
    const bool refused = row != ended.store.rows().end() &&
                         row->second->verdict == lifecycle::Verdict::kRejected &&
                         !differ_in_text(*row->second->pod, *history.pod);
    if (refused) {
      if ((*pod)->status.phase != "Failed") return uid + " was refused and is not shown as Failed";
      continue;
    }
    if (waits_for_scheduler(**pod)) {
      if (auto trouble = ended.admission.needs_not_wait(**pod)) return trouble;
      continue;
    }
    // What was lost with the state file includes any edit under the same uid.
    if (is_pinned(*history.pod) && invariants.disturbances().lost_state()) continue;
    const auto& sandboxes = ended.runtime.sandboxes();
    const bool lost_sandbox = std::ranges::any_of(sandboxes, [&](const SandboxRecord& sandbox) {
      return sandbox.config.metadata.uid == uid && sandbox.died;
    });
    if (auto trouble = ended.probes.unsettled(**pod)) return trouble;
    if (auto trouble = ended.conditions.unsettled(**pod)) return trouble;
    if (auto trouble = stale_volumes(ended, **pod)) return trouble;
    if (auto trouble = PodCheck(invariants, history, **pod, now, lost_sandbox).run())
      return trouble;
  }
  return std::nullopt;
}

}  // namespace berth::simulation
