// SPDX-License-Identifier: Apache-2.0

// What must be true of hooks, whatever happens: preStop runs once per stop, before TERM, and is
// waited for as long as the grace period lasts; postStart runs once, before the container is shown
// running and before any other container of its pod is started.

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "lifecycle/pod_spec.hpp"
#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

const api::Lifecycle* lifecycle_of(const PodHistory& pod, const std::string& name) {
  const api::PodSpec& spec = pod.pod->spec;
  for (const auto* list : {&spec.containers, &spec.initContainers})
    for (const api::Container& container : *list)
      if (container.name == name) return container.lifecycle ? &*container.lifecycle : nullptr;
  return nullptr;
}

}  // namespace

const api::Lifecycle* Invariants::hooks_of(const Instance& instance) const {
  const auto pod = pods_.find(instance.pod_uid);
  if (pod == pods_.end() || pod->second.spec_lost) return nullptr;
  return lifecycle_of(pod->second, instance.name);
}

bool Invariants::post_start_ended_after(const Instance& instance, SteadyTime time) const {
  const auto hook = post_starts_.find(instance.id.str());
  return hook != post_starts_.end() && hook->second.ends >= time;
}

void Invariants::hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) {
  const SteadyTime now = clock_.steady_now();
  const HookSeen seen{.at = now, .ends = now + takes};
  if (kind == HookKind::kPostStart) {
    if (!post_starts_.try_emplace(instance.id.str(), seen).second)
      violated(fmt::format("postStart of {} runs a second time", called(instance)));
    return;
  }
  const auto [first, fresh] = pre_stops_.try_emplace(instance.id.str(), seen);
  // After a kill of berthd, even at that instant, the next one knows of the hook, unless the disk
  // did not store it.
  const auto excused = [this, now](SteadyTime earlier) {
    return agent_began_ >= earlier && !store_->calm(now - earlier + seconds(2));
  };
  if (instance.first_term && !excused(instance.first_stop_called.value_or(*instance.first_term)))
    violated(fmt::format("preStop of {} runs after TERM", called(instance)));
  if (!fresh && !excused(first->second.at))
    violated(fmt::format("preStop of {} runs a second time", called(instance)));
}

// A container's hooks end with it.
void Invariants::exited(const Instance& instance) {
  for (auto* hooks : {&post_starts_, &pre_stops_}) {
    const auto hook = hooks->find(instance.id.str());
    if (hook != hooks->end()) hook->second.ends = std::min(hook->second.ends, clock_.steady_now());
  }
}

// Whether one agent has run since before the container's start, undisturbed.
bool Invariants::watched_undisturbed(const Instance& instance) const {
  return disturbances_.never() && instance.started && agent_began_ < *instance.start_called &&
         !disturbances_.wall_jumped_since(*instance.started);
}

void Invariants::check_pre_stop(const Instance& instance) {
  const auto* pod = history(instance.pod_uid);
  if (pod == nullptr || pod->spec_lost || !watched_undisturbed(instance)) return;
  const api::Lifecycle* hooks = lifecycle_of(*pod, instance.name);
  if (hooks == nullptr || !hooks->preStop || !hooks->preStop->exec) return;
  // Without a grace period there is no time for a hook.
  if (pod->pod->spec.terminationGracePeriodSeconds == 0) return;
  const auto seen = pre_stops_.find(instance.id.str());
  if (seen == pre_stops_.end())
    return violated(fmt::format("{} gets TERM and its preStop hook has not run", called(instance)));
  const SteadyTime now = clock_.steady_now();
  const auto grace = grace_of(*pod, instance, seen->second.at);
  if (now < seen->second.ends && now - seen->second.at < grace - seconds(3))
    violated(fmt::format("{} gets TERM while its preStop hook runs", called(instance)));
}

void Invariants::check_post_starts(const Instance& starting) {
  for (const auto& other : runtime_->instances()) {
    if (other.pod_uid != starting.pod_uid || &other == &starting || !other.live()) continue;
    const auto hook = post_starts_.find(other.id.str());
    if (hook == post_starts_.end() || hook->second.ends <= clock_.steady_now()) continue;
    if (watched_undisturbed(other))
      violated(
          fmt::format("{} is started while postStart of {} runs", called(starting), other.name));
  }
}

// An order to end is carried out once the postStart hooks running at that time have returned; hooks
// that an earlier berthd began are not waited for. An order with a shorter grace period than the
// pod's own waits no longer than that period.
SteadyTime Invariants::hooks_let_go(const PodHistory& pod) const {
  auto free = SteadyTime::min();
  for (const auto& instance : runtime_->instances()) {
    const auto hook = post_starts_.find(instance.id.str());
    if (instance.pod_uid != pod.pod->metadata.uid || hook == post_starts_.end()) continue;
    if (hook->second.at < agent_began_) continue;
    free = std::max(free, hook->second.ends);
  }
  for (const auto& order : pod.all_orders())
    if (order.grace < own_grace(*pod.pod)) free = std::min(free, order.at + order.grace);
  return free;
}

void Invariants::check_post_start_awaited(const Instance& stopped) {
  const auto* pod = history(stopped.pod_uid);
  if (pod == nullptr || pod->orders.empty() || pod->spec_lost || !stopped.first_stop_called) return;
  if (*stopped.first_stop_called < pod->orders.front().at || !watched_undisturbed(stopped)) return;
  if (killed_alone_.contains(stopped.id.str())) return;
  if (clock_.steady_now() < hooks_let_go(*pod))
    violated(fmt::format("{} gets TERM while a postStart hook of its pod runs", called(stopped)));
}

void Invariants::check_shown_running(const api::Pod& pod, const PodHistory& history) {
  for (const auto& status : pod.status.containerStatuses) {
    const api::Lifecycle* hooks = lifecycle_of(history, status.name);
    if (!status.state.running || hooks == nullptr || !hooks->postStart || !hooks->postStart->exec)
      continue;
    for (const auto* instance : instances(pod.metadata.uid, status.name)) {
      if (!instance->live() || !status.containerID.ends_with(instance->id.str())) continue;
      const auto hook = post_starts_.find(instance->id.str());
      const bool returned = hook != post_starts_.end() && hook->second.ends <= clock_.steady_now();
      if (!returned && !history.is_ending() && watched_undisturbed(*instance))
        violated(
            fmt::format("{} is shown to run before postStart has returned", called(*instance)));
    }
  }
}

}  // namespace berth::simulation
