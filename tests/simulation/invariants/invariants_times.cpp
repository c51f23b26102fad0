// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_times.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/core.h>

#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

// A change is published at once, and its time is truncated to whole seconds.
constexpr seconds kPublishedWithin{1};

std::int64_t second_of(std::int64_t unix_nanoseconds) {
  return std::chrono::floor<seconds>(Nanoseconds(unix_nanoseconds)).count();
}

const api::PodCondition* find(const std::vector<api::PodCondition>& conditions,
                              const std::string& type) {
  const auto found = std::ranges::find(conditions, type, &api::PodCondition::type);
  return found == conditions.end() ? nullptr : &*found;
}

std::string time_text(const std::optional<api::Time>& time) {
  return time ? std::to_string(time->unix_seconds()) : "no time";
}

}  // namespace

// The next berthd continues from the status in the store.
void TimeInvariants::agent_restarted() {
  agent_began_ = clock_.steady_now();
  known_.clear();
  for (const auto& [uid, memory] : store_->rows())
    if (memory->status.startTime && memory->verdict != lifecycle::Verdict::kEnded &&
        memory->verdict != lifecycle::Verdict::kCollected)
      known_[uid] = {.status = memory->status, .at = clock_.steady_now(), .life = life_of(uid)};
}

std::size_t TimeInvariants::life_of(const std::string& uid) const {
  const auto pod = invariants_.pods().find(uid);
  return pod == invariants_.pods().end() ? 0 : pod->second.life;
}

const Instance* TimeInvariants::instance_of(const std::string& id) const {
  for (const auto& instance : runtime_->instances())
    if (id.ends_with(instance.id.str())) return &instance;
  return nullptr;
}

void TimeInvariants::published(const lifecycle::PodPtr& pod) {
  for (const auto* statuses : {&pod->status.containerStatuses, &pod->status.initContainerStatuses})
    for (const auto& status : *statuses) check_container(*pod, status);
  check_address(*pod);
  const auto before = known_.find(pod->metadata.uid);
  // If nothing was left of the pod, it has begun anew.
  if (before != known_.end() && before->second.life == life_of(pod->metadata.uid)) {
    check_start(*pod, before->second);
    check_conditions(*pod, before->second);
  }
  known_[pod->metadata.uid] = {
      .status = pod->status, .at = clock_.steady_now(), .life = life_of(pod->metadata.uid)};
}

void TimeInvariants::check_container(const api::Pod& /*pod*/, const api::ContainerStatus& status) {
  if (status.state.running)
    if (const auto* instance = instance_of(status.containerID))
      check_span(*instance, status.state.running->startedAt, std::nullopt);
  for (const auto* state : {&status.state, &status.lastState}) {
    if (!state->terminated || state->terminated->containerID.empty()) continue;
    // No times are known of a container that the runtime has lost.
    if (state->terminated->reason == "ContainerStatusUnknown") continue;
    if (const auto* instance = instance_of(state->terminated->containerID))
      check_span(*instance, state->terminated->startedAt, state->terminated->finishedAt);
  }
}

void TimeInvariants::check_span(const Instance& instance, const std::optional<api::Time>& began,
                                const std::optional<api::Time>& ended) {
  if (!instance.started) return;
  // If the runtime did not report the start time, it is when the start was answered.
  const std::int64_t started = second_of(instance.started_at);
  const std::int64_t latest = started + (invariants_.disturbances().never() ? 0 : 1);
  if (!began || began->unix_seconds() < started || began->unix_seconds() > latest)
    invariants_.violated(fmt::format("{} is shown to have started at {}, and it did at {}",
                                     called(instance), time_text(began),
                                     second_of(instance.started_at)));
  if (!ended || !instance.exited) return;
  if (ended->unix_seconds() != second_of(instance.finished_at))
    invariants_.violated(fmt::format("{} is shown to have ended at {}, and it did at {}",
                                     called(instance), time_text(ended),
                                     second_of(instance.finished_at)));
}

void TimeInvariants::check_start(const api::Pod& pod, const Known& before) {
  const auto& was = before.status.startTime;
  const auto& is = pod.status.startTime;
  if (!was || (is && is->unix_seconds() == was->unix_seconds())) return;
  // An edit under a pinned uid, and the state file is lost: the edited pod is shown, and not run;
  // once it is gone, the pod from before the edit is found, shown with its own start, and ended.
  if (is_pinned(pod) && invariants_.disturbances().lost_state()) return;
  invariants_.violated(fmt::format("{} was shown to have started at {}, and now at {}",
                                   pod.metadata.uid, time_text(was), time_text(is)));
}

void TimeInvariants::check_conditions(const api::Pod& pod, const Known& before) {
  for (const auto& condition : pod.status.conditions) {
    const auto* was = find(before.status.conditions, condition.type);
    const auto& time = condition.lastTransitionTime;
    const bool others = condition.type.find('/') != std::string::npos;
    if (was != nullptr && was->status == condition.status) {
      // Clients may have set it twice since, of which only the second is shown.
      const bool set_again = others && was->message != condition.message;
      if (!set_again && time_text(was->lastTransitionTime) != time_text(time))
        invariants_.violated(
            fmt::format("condition {} of {} is {} as before, and its time moves from {} to {}",
                        condition.type, pod.metadata.uid, condition.status,
                        time_text(was->lastTransitionTime), time_text(time)));
      continue;
    }
    // For conditions that clients set, the time is theirs.
    if (others) continue;
    if (invariants_.disturbances().wall_jumped_since(before.at)) continue;
    const auto now = clock_.wall_now();
    const auto last = now - (clock_.steady_now() - before.at);
    if (!time || time->at > now || time->at + kPublishedWithin <= last)
      invariants_.violated(fmt::format("condition {} of {} becomes {}, and its time is {}",
                                       condition.type, pod.metadata.uid, condition.status,
                                       time_text(time)));
  }
}

void TimeInvariants::check_address(const api::Pod& pod) {
  const auto& shown = pod.status.podIP;
  if (shown.empty()) return;
  const auto& ips = pod.status.podIPs;
  if (ips.empty() || ips.front().ip != shown)
    invariants_.violated(fmt::format("{} is shown with address {}, and its list of them says {}",
                                     pod.metadata.uid, shown,
                                     ips.empty() ? "nothing" : ips.front().ip));
  if (pod.spec.hostNetwork) {
    // A slow earlier call may have created the sandbox with a network of its own; then it is
    // replaced.
    const bool own = std::ranges::any_of(runtime_->sandboxes(), [&](const SandboxRecord& sandbox) {
      return sandbox.config.metadata.uid == pod.metadata.uid && sandbox.ip == shown;
    });
    if (shown != kNodeAddress && !(own && is_pinned(pod)))
      invariants_.violated(
          fmt::format("{} has the node's network and address {}", pod.metadata.uid, shown));
    return;
  }
  const SandboxRecord* its = nullptr;
  int alive = 0;
  std::set<std::string> gone;
  for (const auto& sandbox : runtime_->sandboxes()) {
    if (sandbox.config.metadata.uid != pod.metadata.uid) continue;
    if (sandbox.ip == shown) its = &sandbox;
    if (!sandbox.died) ++alive;
    if (sandbox.died) gone.insert(sandbox.id.str());
  }
  if (its == nullptr)
    return invariants_.violated(
        fmt::format("{} is shown with address {}, which is not its own", pod.metadata.uid, shown));
  if (alive > 1) return;  // a slow earlier call has created another; all begins anew
  for (const auto& status : pod.status.containerStatuses) {
    const auto* instance = status.state.running ? instance_of(status.containerID) : nullptr;
    if (instance == nullptr || !instance->live() || instance->sandbox == its->id) continue;
    // A runtime reports no address for a dead sandbox: the last one in the store is shown.
    if (gone.contains(instance->sandbox.str()) && *instance->started < agent_began_) continue;
    invariants_.violated(fmt::format("{} is shown with address {}, and {} runs in another sandbox",
                                     pod.metadata.uid, shown, called(*instance)));
  }
}

}  // namespace berth::simulation
