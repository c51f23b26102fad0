// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_hooks.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

}  // namespace

void HookInvariants::published(const lifecycle::PodPtr& pod) {
  const auto* history = invariants_.pod(pod->metadata.uid);
  if (history == nullptr) return;
  for (const auto& status : pod->status.containerStatuses) {
    const api::Lifecycle* hooks = lifecycle_of(*history, status.name);
    if (!status.state.running || hooks == nullptr || !hooks->postStart || !hooks->postStart->exec)
      continue;
    for (const auto* instance : invariants_.instances(pod->metadata.uid, status.name)) {
      if (!instance->live() || !status.containerID.ends_with(instance->id.str())) continue;
      const auto* hook = invariants_.hooks().post_start(*instance);
      const bool returned = hook != nullptr && hook->ends <= clock_.steady_now();
      if (!returned && !history->is_ending() && watched_undisturbed(*instance))
        invariants_.violated(
            fmt::format("{} is shown to run before postStart has returned", called(*instance)));
    }
  }
}

void HookInvariants::hook_called(const Instance& instance, HookKind kind, Nanoseconds /*takes*/) {
  if (kind == HookKind::kPostStart) {
    if (invariants_.hooks().post_start(instance)->calls > 1)
      invariants_.violated(fmt::format("postStart of {} runs a second time", called(instance)));
    return;
  }
  const HookHistory::Run& run = *invariants_.hooks().pre_stop(instance);
  // After a kill of berthd, even at that instant, the next one knows of the hook, unless the disk
  // did not store it.
  const auto excused = [this](SteadyTime earlier) {
    return invariants_.agent_began() >= earlier &&
           !store_->calm(clock_.steady_now() - earlier + seconds(2));
  };
  if (instance.first_term && !excused(instance.first_stop_called.value_or(*instance.first_term)))
    invariants_.violated(fmt::format("preStop of {} runs after TERM", called(instance)));
  if (run.calls > 1 && !excused(run.at))
    invariants_.violated(fmt::format("preStop of {} runs a second time", called(instance)));
}

void HookInvariants::start_called(const Instance& instance) {
  for (const auto& other : runtime_->instances()) {
    if (other.pod_uid != instance.pod_uid || &other == &instance || !other.live()) continue;
    const auto* hook = invariants_.hooks().post_start(other);
    if (hook == nullptr || hook->ends <= clock_.steady_now()) continue;
    if (watched_undisturbed(other))
      invariants_.violated(
          fmt::format("{} is started while postStart of {} runs", called(instance), other.name));
  }
}

void HookInvariants::terminated(const Instance& instance) {
  check_pre_stop(instance);
  check_post_start_awaited(instance);
}

// Whether one agent has run since before the container's start, undisturbed.
bool HookInvariants::watched_undisturbed(const Instance& instance) const {
  const Disturbances& disturbances = invariants_.disturbances();
  return disturbances.never() && instance.started &&
         invariants_.agent_began() < *instance.start_called &&
         !disturbances.wall_jumped_since(*instance.started);
}

void HookInvariants::check_pre_stop(const Instance& instance) {
  const auto* pod = invariants_.pod(instance.pod_uid);
  if (pod == nullptr || pod->spec_lost || !watched_undisturbed(instance)) return;
  const api::Lifecycle* hooks = lifecycle_of(*pod, instance.name);
  if (hooks == nullptr || !hooks->preStop || !hooks->preStop->exec) return;
  // Without a grace period there is no time for a hook.
  if (pod->pod->spec.terminationGracePeriodSeconds == 0) return;
  const auto* hook = invariants_.hooks().pre_stop(instance);
  if (hook == nullptr)
    return invariants_.violated(
        fmt::format("{} gets TERM and its preStop hook has not run", called(instance)));
  const SteadyTime now = clock_.steady_now();
  const auto grace = invariants_.grace_of(*pod, instance, hook->at);
  if (now < hook->ends && now - hook->at < grace - seconds(3))
    invariants_.violated(fmt::format("{} gets TERM while its preStop hook runs", called(instance)));
}

void HookInvariants::check_post_start_awaited(const Instance& stopped) {
  const auto* pod = invariants_.pod(stopped.pod_uid);
  if (pod == nullptr || pod->orders.empty() || pod->spec_lost || !stopped.first_stop_called) return;
  if (*stopped.first_stop_called < pod->orders.front().at || !watched_undisturbed(stopped)) return;
  if (invariants_.is_killed_alone(stopped.id.str())) return;
  if (clock_.steady_now() < invariants_.hooks_let_go(*pod))
    invariants_.violated(
        fmt::format("{} gets TERM while a postStart hook of its pod runs", called(stopped)));
}

}  // namespace berth::simulation
