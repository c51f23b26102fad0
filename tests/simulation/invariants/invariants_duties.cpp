// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_duties.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Only calls that answer soon precede it, and the store, for a second at most.
constexpr seconds kInTime{4};
// How long a hook's request takes at most until it is refused, including the start before it.
constexpr seconds kRefusedWithin{1};

}  // namespace

const Instance* DutyInvariants::find(const std::string& id) const {
  for (const auto& instance : runtime_->instances())
    if (instance.id.str() == id) return &instance;
  return nullptr;
}

void DutyInvariants::owe_stop(const Instance& instance, SteadyTime from, std::string why) {
  duties_.owe({.name = instance.id.str(),
               .since = clock_.steady_now(),
               .until = from + kInTime,
               .what = std::move(why)});
}

void DutyInvariants::probe_failed(const Instance& instance, const std::string& type) {
  if (invariants_.stop_began(instance)) return;
  owe_stop(instance, clock_.steady_now(),
           fmt::format("has failed its {} probe as often as it may, and is not stopped", type));
}

const api::Lifecycle* DutyInvariants::hooks_of(const Instance& instance) const {
  const auto* pod = invariants_.pod(instance.pod_uid);
  return pod == nullptr ? nullptr : lifecycle_of(*pod, instance.name);
}

void DutyInvariants::hook_called(const Instance& instance, HookKind kind, Nanoseconds takes) {
  if (kind == HookKind::kPreStop) return duties_.over(instance.id.str());
  // The container was started while berthd stopped: like a restarted kubelet, the next berthd does
  // not know how its hook ended.
  if (!here_since_) return;
  const auto* hooks = hooks_of(instance);
  if (hooks == nullptr || !hooks->postStart || !hooks->postStart->exec) return;
  const auto hook = read_hook(hooks->postStart->exec->command);
  if (hook && hook->exit_code != 0)
    owe_stop(instance, clock_.steady_now() + takes, "runs on after its postStart hook has failed");
}

// The runtime does not see an HTTP hook's request.
void DutyInvariants::started(const Instance& instance) {
  const auto* hooks = hooks_of(instance);
  if (hooks == nullptr || !hooks->postStart || !hooks->postStart->httpGet) return;
  // The hook of a start whose caller is gone is not run.
  if (!here_since_ || *instance.start_called < *here_since_) return;
  if (hooks->postStart->httpGet->host == "refused")
    owe_stop(instance, clock_.steady_now() + kRefusedWithin,
             "runs on after its postStart hook was refused");
}

// What an earlier berthd was stopping, as the store says, this one stops.
void DutyInvariants::agent_restarted() {
  here_since_ = clock_.steady_now();
  for (const auto& instance : runtime_->instances())
    if (instance.live() && invariants_.stop_is_stored(instance))
      owe_stop(instance, *here_since_, "was being stopped by an earlier berthd, and runs on");
}

void DutyInvariants::stop_called(const Instance& instance, seconds /*timeout*/) {
  duties_.over(instance.id.str());
}

void DutyInvariants::exited(const Instance& instance) {
  duties_.over(instance.id.str());
}

bool DutyInvariants::excused(const Instance& instance, SteadyTime since) const {
  const auto pod = invariants_.pods().find(instance.pod_uid);
  if (pod == invariants_.pods().end() || !instance.live()) return true;
  if (pod->second.spec_lost || pod->second.is_ending() || !pod->second.desired) return true;
  return !invariants_.undisturbed_since(since);
}

// Whether the stop had to wait for another container's stop, or for postStart hooks.
bool DutyInvariants::pod_was_busy(const Instance& instance, SteadyTime since) const {
  return std::ranges::any_of(runtime_->instances(), [&](const Instance& other) {
    if (other.pod_uid != instance.pod_uid || &other == &instance) return false;
    if (invariants_.hooks().post_start_ends_after(other, since)) return true;
    return invariants_.stop_began(other) && (!other.exited || *other.exited >= since);
  });
}

void DutyInvariants::time_passes() {
  const auto now = clock_.steady_now();
  for (auto& duty : duties_.overdue(now)) {
    const auto* instance = find(duty.name);
    if (instance == nullptr || excused(*instance, duty.since)) continue;
    if (pod_was_busy(*instance, duty.since)) {
      duties_.owe({.name = duty.name, .since = now, .until = now + kInTime, .what = duty.what});
      continue;
    }
    invariants_.violated(fmt::format("{} {} within {:.1f} s", called(*instance), duty.what,
                                     in_seconds(now - duty.since)));
  }
}

}  // namespace berth::simulation
