// SPDX-License-Identifier: Apache-2.0

// What must hold when containers are stopped: in order, TERM first, and with the whole grace
// period, also across restarts of berthd; but no longer.
#include <algorithm>

#include <fmt/core.h>

#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kShortestGrace{2};  // what StopContainer gets at least
// A stop waits for the store that long, out of its grace period.
constexpr seconds kWaitForStore{1};
// What the agent and the runtime may take beyond a deadline when nothing disturbs them.
constexpr seconds kSlack{5};
// A failed call is retried after that time at the latest.
constexpr seconds kPause{10};
// The longest time that a call takes.
constexpr seconds kLongestCall{20};

}  // namespace

bool Invariants::stop_is_stored(const Instance& instance) const {
  const auto* memory = row(instance.pod_uid);
  return memory != nullptr && memory->stops.contains(instance.id.str());
}

bool Invariants::undisturbed_since(SteadyTime time) const {
  return disturbances_.none_since(time) &&
         world_.store->calm(clock_.steady_now() - time + kTroubleLasts);
}

// An order to end is carried out once the postStart hooks running at that time have returned; hooks
// that an earlier berthd began are not waited for. An order with a shorter grace period than the
// pod's own waits no longer than that period.
SteadyTime Invariants::hooks_let_go(const PodHistory& pod) const {
  auto free = SteadyTime::min();
  for (const auto& instance : world_.runtime->instances()) {
    const auto* hook = hooks_.post_start(instance);
    if (instance.pod_uid != pod.pod->metadata.uid || hook == nullptr) continue;
    if (hook->at < agent_began_) continue;
    free = std::max(free, hook->ends);
  }
  for (const auto& order : pod.all_orders())
    if (order.grace < own_grace(*pod.pod)) free = std::min(free, order.at + order.grace);
  return free;
}

// An order to end is stored before it is carried out, unless the store does not answer in time.
void Invariants::stop_called(const Instance& instance, seconds /*timeout*/) {
  const auto* pod = history(instance.pod_uid);
  if (pod != nullptr) check_has_reason(*pod, instance);
  if (pod == nullptr || pod->orders.empty()) return;
  // By then a container that cannot be stopped is left to its sandbox.
  if (instance.live()) check_not_late(*pod, instance, stop_began(*pod, instance));
  const auto ordered = pod->orders.front().at;
  // The time it waits for hooks does not count.
  const auto since = clock_.steady_now() - std::max(ordered, hooks_let_go(*pod));
  if (agent_began_ > ordered || *instance.first_stop_called < ordered) return;
  // Writes that were given to a slow disk may take longer even after that.
  if (since < kWaitForStore && world_.store->calm(kWaitForStore)) {
    const auto* memory = row(instance.pod_uid);
    // Directly after the order, the container may already be stopping for another reason, which is
    // stored as well; so may one that is killed alone, while its worker waits for the runtime.
    const bool may_be_alone =
        since < milliseconds(300) || killed_alone_.contains(instance.id.str());
    const bool known = memory != nullptr &&
                       (memory->end || (may_be_alone && memory->stops.contains(instance.id.str())));
    if (!known)
      violated(fmt::format("{} is stopped before the store knows that its pod is to end",
                           called(instance)));
  }
  const bool first = *instance.first_stop_called == clock_.steady_now();
  const bool alone = pod->pod->spec.initContainers.empty() && instance.started &&
                     hooks_.pre_stop(instance) == nullptr;
  if (first && alone && disturbances_.none_since(ordered) && *instance.started < ordered &&
      since > kWaitForStore + kSlack)
    violated(fmt::format("{} is stopped {:.3f} s after its pod was ordered to end",
                         called(instance), in_seconds(since)));
}

// A healthy container keeps running, whoever started it: a main container is stopped only with its
// pod or for a new sandbox, for a probe, or for its hook.
void Invariants::check_has_reason(const PodHistory& pod, const Instance& instance) {
  if (!instance.live() || pod.is_ending() || !pod.forgotten.empty() || pod.spec_lost) return;
  const auto& id = instance.id.str();
  if (killed_alone_.contains(id) || stops_at_start_.contains(id)) return;
  if (started_before_loss(id)) return;  // possibly only an edit under the same uid is known
  const auto& spec = pod.pod->spec;
  const auto* main = find(spec.containers, instance.name);
  if (spec.activeDeadlineSeconds || main == nullptr) return;
  // When the last container that is never restarted stops, even for a probe, the pod is stopped.
  const bool never = policy_of(spec, *main) == "Never";
  if (never && (main->livenessProbe || main->startupProbe)) return;
  // If it replaced an UNKNOWN instance, that one's end decides until its own start is known, as in
  // the kubelet.
  if (never &&
      std::ranges::any_of(instances(instance.pod_uid, instance.name), &Instance::sight_lost))
    return;
  // A pod needs another sandbox if an edit changed its network mode before berthd took it over from
  // a kubelet.
  const auto network = spec.hostNetwork ? cri::NamespaceMode::kNode : cri::NamespaceMode::kPod;
  const bool sandbox_lost =
      std::ranges::any_of(world_.runtime->sandboxes(), [&](const SandboxRecord& sandbox) {
        const auto& options = sandbox.config.security_context.namespace_options;
        return sandbox.config.metadata.uid == instance.pod_uid &&
               (sandbox.died || (sandbox.id == instance.sandbox && options.network != network));
      });
  if (!sandbox_lost) violated(called(instance) + " is stopped, and nothing stands against it");
}

seconds Invariants::grace_of(const PodHistory& pod, SteadyTime stop_began) const {
  auto grace = seconds::max();
  const auto orders = pod.all_orders();
  for (const auto& order : orders) grace = std::min(grace, order.grace);
  if (orders.empty() || stop_began < orders.front().at) {
    grace = std::min(grace, pod.spec_lost ? seconds(1) : own_grace(*pod.pod));
  }
  if (!pod.desired && orders.empty()) grace = kShortestGrace;  // a remnant of an unknown pod
  return std::max(grace, kShortestGrace);
}

// A container that is killed alone may have less.
seconds Invariants::grace_of(const PodHistory& pod, const Instance& instance,
                             SteadyTime stop_began) const {
  auto grace = grace_of(pod, stop_began);
  // The runtime may still be carrying out calls of an earlier berthd.
  const auto* hook = hooks_.pre_stop(instance);
  for (const auto& order : pod.forgotten)
    if ((instance.last_stop_called && *instance.last_stop_called >= order.at) ||
        (hook != nullptr && hook->at >= order.at))
      grace = std::min(grace, order.grace);
  // If an edit that is unknown since the loss of the state file has removed its container, it keeps
  // the period that it was created with.
  const auto& spec = pod.pod->spec;
  const bool has = find(spec.containers, instance.name) || find(spec.initContainers, instance.name);
  const auto& annotations = instance.config.annotations;
  const auto own = annotations.find(cri::kAnnotationPodTerminationGracePeriod);
  if (!has && started_before_loss(instance.id.str()) && own != annotations.end())
    grace = std::min(grace, std::max(seconds(std::stoll(own->second)), kShortestGrace));
  const auto alone = killed_alone_.find(instance.id.str());
  if (alone == killed_alone_.end() || !alone->second) return grace;
  return std::max(std::min(grace, *alone->second), kShortestGrace);
}

// When the last of the pod's main containers ended; now, if one of them still runs or never ran.
SteadyTime Invariants::mains_ended(const PodHistory& pod, const Instance& instance) const {
  auto ended = SteadyTime::min();
  for (const auto& main : pod.pod->spec.containers) {
    auto own = SteadyTime::min();
    for (const auto& other : world_.runtime->instances()) {
      if (other.sandbox != instance.sandbox || other.name != main.name) continue;
      own = std::max(own, other.exited.value_or(clock_.steady_now()));
    }
    ended = std::max(ended, own == SteadyTime::min() ? clock_.steady_now() : own);
  }
  return ended;
}

SteadyTime Invariants::stop_began(const PodHistory& pod, const Instance& instance) const {
  auto began = clock_.steady_now();
  for (const auto& other : world_.runtime->instances()) {
    if (other.sandbox != instance.sandbox) continue;
    if (other.first_stop_called) began = std::min(began, *other.first_stop_called);
    if (const auto* hook = hooks_.pre_stop(other)) began = std::min(began, hook->at);
    // If a container stops because its pod does, the stop of all others has begun as well, though
    // their turn may come much later. That holds even if it has exited and the runtime does not
    // show that yet.
    const auto reported = reported_stops_.find(other.id.str());
    if (reported != reported_stops_.end() && (reported->second.with_pod || other.id == instance.id))
      began = std::min(began, reported->second.at);
  }
  const auto orders = pod.all_orders();
  if (!orders.empty()) began = std::min(began, orders.front().at);
  for (const auto& order : pod.forgotten) began = std::min(began, order.at);
  // A killed berthd may have begun the stop: then the store has the time.
  const auto since = [this](WallTime at) { return clock_.steady_now() + (at - clock_.wall_now()); };
  const auto* memory = row(instance.pod_uid);
  if (memory != nullptr && agent_began_ > SteadyTime{}) {
    const auto stored = memory->stops.find(instance.id.str());
    if (stored != memory->stops.end()) began = std::min(began, since(stored->second.begun_at));
  }
  // The wall clock may have been set right since this berthd read that time.
  const auto at_start = stops_at_start_.find(instance.id.str());
  if (at_start != stops_at_start_.end()) began = std::min(began, at_start->second);
  began = std::min(began, pod.past_deadline_at_start.value_or(SteadyTime::max()));
  // The stop of a pod that ends by itself begins when its last main container ended. A berthd that
  // was killed before its first call had decided on it nevertheless.
  if (orders.empty()) began = std::min(began, mains_ended(pod, instance));
  // A pod that is past its deadline stops as well, which does not show before a container's turn
  // comes.
  const auto until = pod.shown ? active_until(*pod.shown) : std::nullopt;
  if (until) began = std::min(began, since(*until));
  return began;
}

// Sidecars are stopped after everything that may need them, as long as the grace period lasts.
void Invariants::terminated(const Instance& instance) {
  const auto* pod = history(instance.pod_uid);
  if (pod == nullptr) return;
  const auto& spec = pod->pod->spec;
  const auto self = std::ranges::find(spec.initContainers, instance.name, &api::Container::name);
  if (self == spec.initContainers.end() || !is_sidecar(*self)) return;
  if (killed_alone_.contains(instance.id.str())) return;
  // After an edit under the same uid each container counts as another one, and is stopped alone.
  if (is_pinned(*pod->pod) && started_before_loss(instance.id.str())) return;
  const auto began = stop_began(*pod, instance);
  if (stop_age_unknown(began)) return;
  if (clock_.steady_now() - began >= grace_of(*pod, instance, began) - seconds(2)) return;
  for (const auto& other : world_.runtime->instances()) {
    if (other.sandbox != instance.sandbox || !other.live()) continue;
    // Started by a call of a killed berthd: the next one does not know of it, and cannot wait for
    // it.
    if (*other.started > agent_began_ && *other.start_called < agent_began_) continue;
    // berthd does not wait for a container that does not run yet, even if it may still start.
    if (start_came_late(other)) continue;
    // A container that was being killed alone keeps the period of that kill. If the runtime fails
    // to stop it in that time, the others no longer wait for it.
    if (other.stop_failed && killed_alone_.contains(other.id.str())) continue;
    const bool is_main = find(spec.containers, other.name) != nullptr;
    const bool is_next = self + 1 != spec.initContainers.end() && is_sidecar(*(self + 1)) &&
                         (self + 1)->name == other.name;
    if (!is_main && !is_next) continue;
    violated(fmt::format("{} gets TERM while {} still runs", called(instance), other.name));
  }
}

// It started long after its call, or after a call of a killed berthd, and so recently that berthd
// could not know.
bool Invariants::start_came_late(const Instance& instance) const {
  if (!instance.start_called || !instance.started) return false;
  const bool of_killed = *instance.start_called < agent_began_ && agent_began_ < *instance.started;
  const bool unexpected = *instance.started - *instance.start_called > seconds(1) || of_killed;
  return unexpected && clock_.steady_now() - *instance.started <
                           (disturbances_.quiet() ? Nanoseconds(milliseconds(500)) : kLongestCall);
}

void Invariants::killed(const Instance& instance, KillCause cause) {
  if (cause == KillCause::kMachine) return;
  const auto* pod = history(instance.pod_uid);
  if (pod == nullptr) return;
  const bool with_pod = cause == KillCause::kStopSandbox || cause == KillCause::kCgroupCleanup;
  if (with_pod && start_came_late(instance)) return;
  const auto now = clock_.steady_now();
  const auto began = stop_began(*pod, instance);
  const auto grace = grace_of(*pod, instance, began);
  // A stop that was called when the grace period was over has failed, too: then its sandbox ends
  // it.
  const bool only_with_sandbox = cause == KillCause::kStopSandbox && instance.stop_failed &&
                                 *instance.last_stop_called - began >= grace - kWaitForStore;
  if (!instance.first_term && !only_with_sandbox)
    return violated(called(instance) + " gets KILL without TERM");
  // If the store is slow, a stop may have begun before the order, and still be waiting for the
  // store then.
  const auto orders = pod->all_orders();
  const bool ordered = !orders.empty() && orders.front().at == began &&
                       world_.store->calm(clock_.steady_now() - began + kWaitForStore);
  // The store is written before a hook, and once more before the stop.
  const auto* container = find(pod->pod->spec.containers, instance.name);
  if (container == nullptr) container = find(pod->pod->spec.initContainers, instance.name);
  const bool hook = container != nullptr && container->lifecycle && container->lifecycle->preStop;
  const auto wait = kWaitForStore * (hook ? 2 : 1);
  const auto shortest = only_with_sandbox ? seconds(0) : kShortestGrace;
  // The caller knew since when it was stopping, but that record has been lost since.
  const bool called_before_loss = disturbances_.lost_state() && instance.last_stop_called &&
                                  *instance.last_stop_called < *disturbances_.lost_at();
  const auto least = ordered ? Nanoseconds(grace) : std::max<Nanoseconds>(grace - wait, shortest);
  if (now - began < least && !stop_age_unknown(began) && !called_before_loss) {
    violated(fmt::format("{} gets KILL {:.3f} s after its stop began; its grace period is {} s",
                         called(instance), in_seconds(now - began), grace.count()));
  }
  if (!only_with_sandbox && now - *instance.first_term < kShortestGrace) {
    violated(fmt::format("{} gets KILL {:.3f} s after TERM", called(instance),
                         in_seconds(now - *instance.first_term)));
  }
  check_not_late(*pod, instance, began);
}

// A start whose outcome this berthd does not know is waited for like a running container.
void Invariants::sandbox_stop_called(const SandboxRecord& sandbox) {
  if (sandbox.copy_of)
    return violated(fmt::format("berthd stops a copy of {}'s sandbox, which is not the pod's",
                                sandbox.config.metadata.uid));
  const auto* pod = history(sandbox.config.metadata.uid);
  if (pod == nullptr || pod->orders.empty()) return;
  const auto now = clock_.steady_now();
  for (const auto& instance : world_.runtime->instances()) {
    if (instance.sandbox != sandbox.id || !instance.starting) continue;
    if (*instance.start_called < agent_began_ || sandbox.died) continue;
    const auto began = stop_began(*pod, instance);
    if (now - began >= grace_of(*pod, instance, began) - kWaitForStore || stop_age_unknown(began))
      continue;
    violated(fmt::format("the sandbox of {} is stopped while it may yet start", called(instance)));
  }
}

// A stop ends no later than the grace period, or as soon as a restarted berthd can.
void Invariants::check_not_late(const PodHistory& pod, const Instance& instance, SteadyTime began) {
  const auto orders = pod.all_orders();
  if (orders.empty() || !undisturbed_since(began)) return;
  const auto let_go = hooks_let_go(pod);
  auto end = SteadyTime::max();
  // If an earlier berthd was ordered to stop it but had not begun, the grace period begins with
  // this one.
  const auto found = stops_at_start_.find(instance.id.str());
  const auto heard = found == stops_at_start_.end() ? agent_began_ : found->second;
  for (const auto& order : orders)
    end = std::min<SteadyTime>(
        end, std::max({order.at, let_go, heard}) + std::max(order.grace, kShortestGrace));
  // Sidecars get their two seconds one after another.
  const auto sidecars = std::ranges::count_if(pod.pod->spec.initContainers, is_sidecar);
  const auto slack = kSlack + kWaitForStore + kShortestGrace * (sidecars + 1);
  auto latest = std::max(end, agent_began_) + slack;
  if (instance.last_refused) latest = std::max(latest, *instance.last_refused + kPause + slack);
  if (clock_.steady_now() <= latest) return;
  violated(fmt::format("{} still runs {:.3f} s after its stop began, {:.3f} s after it had to end",
                       called(instance), in_seconds(clock_.steady_now() - began),
                       in_seconds(clock_.steady_now() - end)));
}

}  // namespace berth::simulation
