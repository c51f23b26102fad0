// SPDX-License-Identifier: Apache-2.0

// What must hold when a pod or container is started: it was admitted, the store has it, its policy
// and its backoff allow it, and its turn has come.
#include <algorithm>

#include <fmt/core.h>

#include "cri/stop_signals.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_host.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {

using std::chrono::seconds;

namespace {

// After `last`, in the same sandbox. If the agent stopped it in order to restart it, its exit code
// does not matter; under policy Never the agent restarts nothing.
bool may_start_again(const api::PodSpec& spec, const api::Container& container,
                     const Instance& last, bool stop_began) {
  if (stop_began && policy_of(spec, container) != "Never") return true;
  return restarts_after(spec, container, last.exit_code);
}

// In another sandbox every container begins anew, except those that have succeeded and need not run
// again; and none of a pod that runs once.
bool may_start_over(const api::PodSpec& spec, const api::Container& container, const Instance& last,
                    bool stop_began) {
  const bool init = find(spec.initContainers, container.name) != nullptr;
  if (spec.restartPolicy == "Never") return init && last.exit_code == 0;
  if (init || stop_began) return true;
  return policy_of(spec, container) != "OnFailure" ||
         restarts_after(spec, container, last.exit_code);
}

}  // namespace

void Invariants::sandbox_called(const cri::PodSandboxConfig& config) {
  const auto& uid = config.metadata.uid;
  auto* pod = history(uid);
  if (pod == nullptr) return violated(uid + " gets a sandbox and was not desired");
  follow_silently(uid, *pod);
  // The pod that was ordered to end has no sandbox, and the store has its uid without an end: this
  // is the pod that follows it. Its removal is not published if it was never begun.
  const auto* memory = row(uid);
  if (pod->again && config.metadata.attempt == 0 && !has_sandboxes(uid) && memory != nullptr &&
      !memory->end && memory->verdict == lifecycle::Verdict::kNone)
    begin_again(*pod);
  pod->sandboxes_asked[config.metadata.attempt] = clock_.steady_now();
  check_name_is_free(*pod->pod);
  if (!pod->may_run) violated(fmt::format("{} may not run here and gets a sandbox", uid));
  if (pod->collected != Collected::kNo) violated(uid + " was collected, and gets a sandbox");
  // A pod of which nothing existed may get its first sandbox while the store is still writing. A
  // pod with a pinned uid could then be mistaken for an earlier one of that uid.
  if (!pod->spec_lost && is_pinned(*pod->pod) &&
      (memory == nullptr || differ_in_text(*memory->pod, *pod->pod)))
    violated(uid + " gets a sandbox before the store knows what its manifest says");
  if (memory == nullptr) {
    const auto attempt = config.metadata.attempt;
    if (attempt > 0)
      violated(fmt::format("{} gets sandbox {} before the store knows the pod", uid, attempt));
    return;
  }
  if (!pod->admitted && config.metadata.attempt == 0 && !pod->spec_lost) check_room(*pod->pod);
  pod->admitted = true;
  // A verdict that was not shown belongs to an earlier life, which the store could not remove yet.
  if (memory->verdict == lifecycle::Verdict::kRejected && !pod->final_phase.empty())
    violated(fmt::format("{} was refused, and gets a sandbox", uid));
}

// The pod must fit beside those that run: in CPU, host ports and the number of pods. Pods that ran
// before berthd were not admitted. A pod that only the runtime knows is being ended and takes up no
// room: like the kubelet's, admission counts the pods that the sources contain.
void Invariants::check_room(const api::Pod& pod) {
  if (room_.taken_over) return;
  std::set<std::string> running;
  for (const auto& instance : world_.runtime->instances())
    if (instance.live() && !start_came_late(instance)) running.insert(instance.pod_uid);
  running.erase(pod.metadata.uid);
  std::erase_if(running, [this](const std::string& uid) {
    const auto* other = history(uid);
    return other == nullptr || other->spec_lost || (!other->desired && !other->is_ending());
  });
  std::int64_t cpus = cpus_of(pod);
  auto ports = host_ports_of(pod);
  for (const std::string& uid : running) {
    const auto* other = history(uid);
    cpus += cpus_of(*other->pod);
    for (const auto port : host_ports_of(*other->pod))
      if (std::ranges::count(ports, port) > 0)
        violated(fmt::format("{} is let in, and its port {} belongs to {}", pod.metadata.uid, port,
                             uid));
  }
  // A pod without a CPU request is admitted, however much the others request.
  if (cpus_of(pod) > 0 && cpus > kNodeCpus)
    violated(fmt::format("{} is let in, and {} processors are asked for", pod.metadata.uid, cpus));
  if (std::ssize(running) >= room_.most_pods)
    violated(fmt::format("{} is let in, and {} others run", pod.metadata.uid, running.size()));
}

// No pod is begun while a container of another pod of its name runs. A container that a call of an
// earlier berthd started meanwhile is not known yet.
void Invariants::check_name_is_free(const api::Pod& pod) {
  for (const auto& instance : world_.runtime->instances()) {
    if (instance.pod_uid == pod.metadata.uid || !instance.live() || start_came_late(instance))
      continue;
    const auto* its = history(instance.pod_uid);
    if (its != nullptr && its->pod->metadata.name == pod.metadata.name)
      violated(fmt::format("{} gets a sandbox, and {} of another pod of its name runs",
                           pod.metadata.uid, called(instance)));
  }
}

void Invariants::sandbox_created(const SandboxRecord& sandbox) {
  const auto& uid = sandbox.config.metadata.uid;
  // The next relist finds a sandbox that a slow call of an earlier life under this uid creates.
  const auto* pod = history(uid);
  if (pod == nullptr) return;
  const auto asked = pod->sandboxes_asked.find(sandbox.config.metadata.attempt);
  // Nor can a berthd know of a sandbox that an earlier one requested and that is created only now.
  if (asked == pod->sandboxes_asked.end() || asked->second < agent_began_) return;
  for (const auto& other : world_.runtime->sandboxes()) {
    if (&other == &sandbox || other.config.metadata.uid != uid || other.died || other.removed)
      continue;
    // An earlier life requested this sandbox.
    if (!pod->sandboxes_asked.contains(other.config.metadata.attempt)) continue;
    violated(fmt::format("{} has two sandboxes, {} and {}", uid, other.config.metadata.attempt,
                         sandbox.config.metadata.attempt));
  }
}

// The runtime gets the container's stop signal.
void Invariants::check_stop_signal(const Instance& instance) {
  const auto* pod = history(instance.pod_uid);
  if (pod == nullptr || pod->spec_lost) return;
  // A late earlier call has the signal from then; an edit under the uid may state another.
  if (is_pinned(*pod->pod) && !pod->final_phase.empty()) return;
  const auto desired = stop_signal_of(pod->pod->spec, instance.name);
  const auto given = cri::signal_name(instance.config.stop_signal);
  if (given == desired) return;
  violated(fmt::format("{} is created with stop signal {}, and asks for {}", called(instance),
                       given.value_or("none"), desired.value_or("none")));
}

// No attempt number is used twice, and none is skipped; but after a kill in between, berthd knows
// only of the log that was to be written, and of nothing if that was removed with the container and
// the disk did not store it. A slow call may take effect after later ones.
void Invariants::created(const Instance& instance) {
  if (world_.runtime->is_copy(instance.sandbox))
    return violated(called(instance) + " is created in a copy of the pod's sandbox");
  check_stop_signal(instance);
  const auto* memory = row(instance.pod_uid);
  const auto* pod = history(instance.pod_uid);
  const bool known = memory != nullptr &&
                     (pod == nullptr || pod->spec_lost || !differ_in_text(*memory->pod, *pod->pod));
  // A slow call of a berthd that had stored the pod, in a file that is lost by now.
  const bool late =
      disturbances_.lost_state() && clock_.steady_now() - *disturbances_.lost_at() < seconds(60);
  if (!known && !late) violated(called(instance) + " is created before the store knows the pod");
  const auto attempt = instance.config.metadata.attempt;
  std::uint32_t next = 0;
  for (const auto* other : instances(instance.pod_uid, instance.name)) {
    if (other == &instance) continue;
    next = std::max(next, other->config.metadata.attempt + 1);
    const bool forgotten = other->removed && agent_began_ > SteadyTime{} &&
                           !world_.store->calm(clock_.steady_now() - other->created);
    // A container that a lost call created may have been removed with its sandbox before berthd saw
    // it.
    const bool unseen = other->removed && !other->start_called && !disturbances_.quiet();
    if (other->config.metadata.attempt == attempt && !forgotten && !unseen)
      violated(called(instance) + " is created a second time");
  }
  // Whatever ends it, a probe included, each restart costs more time than the one before.
  constexpr std::ptrdiff_t kMost = 15;
  const SteadyTime since = clock_.steady_now() - seconds(300);
  const auto all = instances(instance.pod_uid, instance.name);
  const auto lately =
      std::ranges::count_if(all, [since](const Instance* other) { return other->created > since; });
  if (lately > kMost && !disturbances_.wall_jumped_since(since))
    violated(fmt::format("{} is the {}th instance in five minutes", called(instance), lately));
  // Instances of an earlier incarnation under the same uid count too: a full disk may have kept its
  // row.
  for (const auto& other : world_.runtime->instances())
    if (other.pod_uid == instance.pod_uid && other.name == instance.name && &other != &instance)
      next = std::max(next, other.config.metadata.attempt + 1);
  if (attempt > next)
    violated(fmt::format("{} is created, and its attempt is {}", called(instance), next));
}

// A sidecar that was stopped because all containers it serves have ended for good is not restarted.
void Invariants::check_serves_somebody(const PodHistory& pod, const Instance& instance) {
  const auto& spec = pod.pod->spec;
  const auto self = std::ranges::find(spec.initContainers, instance.name, &api::Container::name);
  if (self == spec.initContainers.end() || !is_sidecar(*self) || !disturbances_.quiet()) return;
  SteadyTime ended = SteadyTime::min();
  for (const api::Container& main : spec.containers) {
    const Instance* last = nullptr;
    for (const auto* other : instances(instance.pod_uid, main.name))
      if (other->sandbox == instance.sandbox) last = other;
    const bool over = last != nullptr && last->exited && !last->first_stop_called &&
                      !restarts_after(spec, main, last->exit_code);
    if (!over || agent_began_ > *last->exited || disturbances_.wall_jumped_since(last->created))
      return;
    ended = std::max(ended, *last->exited);
  }
  if (!disturbances_.none_since(ended)) return;  // berthd may not have been notified
  const auto stopped_since = [this, &instance, ended](const Instance* other) {
    // For a probe or its hook a sidecar is stopped alone, whatever the others do.
    return other != &instance && other->sandbox == instance.sandbox && other->first_stop_called &&
           *other->first_stop_called >= ended && !killed_alone_.contains(other->id.str());
  };
  const auto all = instances(instance.pod_uid, instance.name);
  if (std::ranges::none_of(all, stopped_since)) return;
  violated(called(instance) + " is started although all that it serves has ended");
}

void Invariants::start_called(const Instance& instance) {
  auto* pod = history(instance.pod_uid);
  if (pod == nullptr || (!pod->desired && pod->orders.empty()))
    return violated(called(instance) + " is started and its pod is not desired");
  check_serves_somebody(*pod, instance);
  if (!world_.host->has_cgroup(instance.pod_uid))
    violated(called(instance) + " is started before its pod has a cgroup");
  if (!pod->final_phase.empty()) {
    violated(
        fmt::format("{} is started although the pod is {}", called(instance), pod->final_phase));
  }
  const auto orders = pod->all_orders();
  if (!orders.empty() && clock_.steady_now() > orders.front().at) {
    violated(fmt::format("{} is started {:.3f} s after its pod was ordered to end",
                         called(instance), in_seconds(clock_.steady_now() - orders.front().at)));
  }
  check_predecessor(instance);
  check_durable(instance);
  check_policy(*pod, instance);
  check_backoff(*pod, instance);
  check_order(*pod, instance);
}

// A deletion by force frees the name at once, but the deleted pod's containers must end before the
// successor starts.
void Invariants::check_predecessor(const Instance& instance) {
  const auto& all = world_.runtime->instances();
  for (const auto& [ended, next] : successors_) {
    const auto* pod = history(ended);
    if (next != instance.pod_uid || ended == next || pod == nullptr) continue;
    for (auto i = pod->life; i < all.size(); ++i) {
      if (all[i].pod_uid != ended || !all[i].live()) continue;
      violated(fmt::format("{} is started while {} of its predecessor runs", called(instance),
                           called(all[i])));
    }
  }
}

// A restart is stored before it happens, so that its backoff outlives berthd.
void Invariants::check_durable(const Instance& instance) {
  const auto before = instances(instance.pod_uid, instance.name);
  const bool first = std::ranges::none_of(before, [&](const Instance* other) {
    return other != &instance && other->started && other->exited &&
           *other->exited < instance.created && !other->removed;
  });
  if (first) return;
  const auto* memory = row(instance.pod_uid);
  if (memory != nullptr) {
    const auto start = memory->pending_starts.find(instance.name);
    if (start != memory->pending_starts.end() && start->second.container_id == instance.id.str())
      return;
  }
  violated(called(instance) + " is started before the store knows of it");
}

void Invariants::started(const Instance& instance) {
  for (const auto* other : instances(instance.pod_uid, instance.name)) {
    if (other == &instance || !other->live()) continue;
    violated(
        fmt::format("{} runs beside attempt {}", called(instance), other->config.metadata.attempt));
  }
  auto* pod = history(instance.pod_uid);
  if (pod == nullptr) return;
  const auto before = instances(instance.pod_uid, instance.name);
  // A removed instance is forgotten: the next start counts as a first one.
  const bool restart = std::ranges::any_of(before, [&](const Instance* other) {
    return other != &instance && other->exited && *other->exited < instance.created &&
           !other->removed;
  });
  // Nor is a call known that was recorded in a file which is lost.
  if (!restart || (disturbances_.lost_state() && instance.start_called &&
                   *instance.start_called <= *disturbances_.lost_at()))
    return;
  auto& window = pod->windows[instance.name + "|" + instance.config.image.user_specified_image];
  // A backoff is forgotten 600 s after the last start, however that instance ended.
  if (clock_.steady_now() - window.last_start >= seconds(600)) window.window = {};
  window.window = std::clamp<Nanoseconds>(2 * window.window, seconds(10), seconds(300));
  window.last_start = instance.created;  // the agent counts from some time after that
}

// A stop begins with its preStop hook, during which the container may end by itself. The runtime
// does not see a hook that is not a command, and a berthd that finds a stop in the store cannot
// know whether its predecessor had already called the hook.
bool Invariants::stop_began(const Instance& instance) const {
  const std::string id = instance.id.str();
  if (instance.first_stop_called || hooks_.pre_stop(instance) != nullptr ||
      stops_at_start_.contains(id))
    return true;
  const auto pod = pods_.find(instance.pod_uid);
  if (pod == pods_.end()) return false;
  const auto* container = find(pod->second.pod->spec.containers, instance.name);
  return container != nullptr && container->lifecycle && container->lifecycle->preStop &&
         !container->lifecycle->preStop->exec;
}

// Then it is to be stopped, and it may start again in the next sandbox.
bool Invariants::outlived_its_sandbox(const Instance& instance) const {
  return std::ranges::any_of(world_.runtime->sandboxes(), [&](const SandboxRecord& sandbox) {
    return sandbox.id == instance.sandbox && sandbox.died_shown &&
           *sandbox.died_shown <= *instance.exited;
  });
}

void Invariants::check_policy(const PodHistory& pod, const Instance& instance) {
  const Instance* last = nullptr;
  bool succeeded_here = false;
  for (const auto* other : instances(instance.pod_uid, instance.name)) {
    if (other == &instance || !other->started || !other->exited) continue;
    last = other;
    if (other->sandbox == instance.sandbox && other->exit_code == 0) succeeded_here = true;
  }
  if (last == nullptr) return;
  const auto& spec = pod.pod->spec;
  const auto* init = find(spec.initContainers, instance.name);
  const auto* container = init != nullptr ? init : find(spec.containers, instance.name);
  if (container == nullptr || (init != nullptr && is_sidecar(*init))) return;
  if (succeeded_here && init != nullptr)
    return violated(called(instance) + " is started again after it had completed");
  // The pod's end was ordered, the disk did not store it, and berthd was killed when nothing was
  // left: the pod begins anew, as its successor would.
  if (!pod.forgotten.empty() && last->removed) return;
  // Whether an UNKNOWN instance has ended is not known: it is stopped and started again.
  if (last->sight_lost) return;
  // After an edit under the same uid, all that is known is that it is another pod now.
  if (started_before_loss(last->id.str())) return;
  // A container whose probe failed is restarted, even if it ends before it is asked to stop.
  const bool stopped =
      stop_began(*last) || outlived_its_sandbox(*last) || killed_alone_.contains(last->id.str());
  if (last->sandbox == instance.sandbox ? may_start_again(spec, *container, *last, stopped)
                                        : may_start_over(spec, *container, *last, stopped))
    return;
  violated(fmt::format("{} is started again after exit code {}, and its policy is {} with {} rules",
                       called(instance), last->exit_code, policy_of(spec, *container),
                       container->restartPolicyRules.size()));
}

// The window counts from the exit of the last instance, if it ended by itself: the agent may
// restart a container that it stopped itself at once.
void Invariants::check_backoff(PodHistory& pod, const Instance& instance) {
  const Instance* last = nullptr;
  for (const auto* other : instances(instance.pod_uid, instance.name)) {
    if (other != &instance && other->exited && !other->removed) last = other;
  }
  if (last == nullptr || stop_began(*last) || last->first_kill || !last->started) return;
  // It ended after the decision to stop it, which counts as that stop.
  if (killed_alone_.contains(last->id.str())) return;
  const auto found =
      pod.windows.find(instance.name + "|" + instance.config.image.user_specified_image);
  if (found == pod.windows.end()) return;
  // Exits and starts are recorded in wall time: the backoff between them may be reset, or not.
  if (disturbances_.wall_jumped_since(found->second.last_start)) {
    pod.windows.erase(found);
    return;
  }
  if (*last->exited - found->second.last_start > seconds(600)) {
    pod.windows.erase(found);
    return;
  }
  const auto waited = clock_.steady_now() - *last->exited;
  // The backoff is over once it is forgotten, 600 s after the last start.
  const Nanoseconds forgotten = found->second.last_start + seconds(600) - *last->exited;
  const Nanoseconds due = std::min(found->second.window, forgotten);
  if (waited >= forgotten) pod.windows.erase(found);
  if (waited >= due) return check_not_idle(instance, waited, due);
  violated(fmt::format("{} is started {:.3f} s after its exit; its backoff is {:.0f} s",
                       called(instance), in_seconds(waited), in_seconds(due)));
}

// If nothing prevents it, it is not started much later than its backoff allows, either.
void Invariants::check_not_idle(const Instance& instance, Nanoseconds waited, Nanoseconds window) {
  const auto exit = clock_.steady_now() - waited;
  if (agent_began_ > exit || !undisturbed_since(exit) || disturbances_.wall_jumped()) return;
  const auto& spec = history(instance.pod_uid)->pod->spec;
  if (!spec.initContainers.empty() || spec.containers.size() != 1) return;
  if (!instance.config.image.user_specified_image.starts_with("present/")) return;
  if (spec.containers.front().imagePullPolicy == "Always" || waited < window + seconds(5)) return;
  // The ConfigMap that its variables come from may be missing.
  if (!spec.containers.front().envFrom.empty()) return;
  // A failed start costs its backoff, too; so may one that a lost state file had recorded.
  for (const auto* other : instances(instance.pod_uid, instance.name))
    if ((other->exited && !other->started) || started_before_loss(other->id.str())) return;
  // Its hook may take longer than the container lives, and is waited for.
  if (const auto& hooks = spec.containers.front().lifecycle; hooks && hooks->postStart) return;
  for (const auto& sandbox : world_.runtime->sandboxes())
    if (sandbox.config.metadata.uid == instance.pod_uid && sandbox.died) return;
  violated(fmt::format("{} is started {:.3f} s after its exit; its backoff is {:.0f} s",
                       called(instance), in_seconds(waited), in_seconds(window)));
}

// Init containers start one after another, sidecars in their turn, then the rest; all in the same
// sandbox.
void Invariants::check_order(const PodHistory& pod, const Instance& instance) {
  // An edit under the same uid is no longer known: what runs has become the other pod. The same
  // holds for a container that was only created; if it is a main one, the pod counts as
  // initialised.
  const auto knew = [&](const Instance& other) {
    const bool main_was_made = disturbances_.lost_state() &&
                               other.created <= *disturbances_.lost_at() &&
                               find(pod.pod->spec.containers, other.name) != nullptr;
    return other.sandbox == instance.sandbox &&
           (main_was_made || started_before_loss(other.id.str()));
  };
  if (is_pinned(*pod.pod) && std::ranges::any_of(world_.runtime->instances(), knew)) return;
  // Init containers are over once a regular one has been started: sidecars come back in any order.
  const auto begun = [this, &instance](const api::Container& main) {
    return std::ranges::any_of(instances(instance.pod_uid, main.name), [&](const Instance* other) {
      return other != &instance && other->sandbox == instance.sandbox && other->started;
    });
  };
  if (std::ranges::any_of(pod.pod->spec.containers, begun)) return;
  for (const auto& init : pod.pod->spec.initContainers) {
    if (init.name == instance.name) return;
    const auto all = instances(instance.pod_uid, init.name);
    const bool done = std::ranges::any_of(all, [&](const Instance* other) {
      if (other->sandbox != instance.sandbox || !other->started) return false;
      return is_sidecar(init) || (other->exited && other->exit_code == 0);
    });
    if (!done)
      violated(fmt::format("{} is started before {} is done", called(instance), init.name));
  }
}

}  // namespace berth::simulation
