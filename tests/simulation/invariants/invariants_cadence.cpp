// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_cadence.hpp"

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

// Probes share wake-ups: each is delayed once, by less than this.
constexpr milliseconds kInStep{63};
// Readiness of a container that is not ready may be probed that often.
constexpr seconds kOutOfTurn{1};
// Nothing delays the next run by more than this.
constexpr seconds kLate{1};
// Until the worker knows of a start, and has handled it, if calls are answered soon.
constexpr seconds kUntilSeen{5};

std::string key_of(const Instance& instance, const std::string& type) {
  return type + " " + instance.id.str();
}

std::string id_in(const std::string& key) {
  return key.substr(key.find(' ') + 1);
}

}  // namespace

void CadenceInvariants::asked(const Instance& instance, const std::string& type,
                              const api::Probe& probe) {
  const SteadyTime now = clock_.steady_now();
  if (!here_since_ || *here_since_ == now) return;  // a last request of the previous berthd
  const std::string key = key_of(instance, type);
  duties_.over(key);
  const auto [entry, first] = last_.try_emplace(key, Last{.asked = now});
  if (first) return;
  Last& last = entry->second;
  if (last.errored) return;  // the same run still
  const seconds period(probe.periodSeconds);
  const bool out_of_turn = type == "readiness" && !last.ready;
  const Nanoseconds least = out_of_turn ? std::min(period, kOutOfTurn) : period;
  // A run that was late because the runtime did not answer others is followed by one on schedule.
  const bool undisturbed = invariants_.disturbances().none_since(last.asked);
  const Nanoseconds longest = std::max(last.took, std::exchange(last.took_before, last.took));
  last.took = {};
  if (longest < period && undisturbed && now - last.asked < least - kInStep)
    invariants_.violated(fmt::format("{} of {} is asked {:.3f} s after the last time; period {} s",
                                     type, called(instance), in_seconds(now - last.asked),
                                     period.count()));
  last.asked = now;
  last.answered = false;
}

void CadenceInvariants::answered(const Instance& instance, const std::string& type,
                                 const api::Container& container, const Answer& answer) {
  const SteadyTime now = clock_.steady_now();
  const auto entry = last_.find(key_of(instance, type));
  if (entry == last_.end() || !instance.started) return;
  Last& last = entry->second;
  last.took = now - last.asked;
  last.answered = true;
  last.errored = answer.errored;
  last.ready = answer.ready;
  // A berthd that found it running knows its start in wall time; a start in the future is replaced
  // by the time it was found.
  const bool dated = here_since_ && invariants_.disturbances().wall_jumped_since(*instance.started);
  const SteadyTime began =
      dated ? std::max(*instance.started, *here_since_ + kUntilSeen) : *instance.started;
  const auto after = [&](const api::Probe& probe) {
    return std::max(now, began + seconds(probe.initialDelaySeconds));
  };
  if (type == "startup") {
    if (answer.passed && container.readinessProbe) {
      // The containers that a berthd finds when it begins are not probed all at once.
      const seconds period(container.readinessProbe->periodSeconds);
      const bool spread = here_since_ && now - *here_since_ < period;
      owe(instance, "readiness",
          after(*container.readinessProbe) + kLate + (spread ? period : seconds(0)));
    }
    if (answer.passed && container.livenessProbe)
      owe(instance, "liveness",
          after(*container.livenessProbe) + seconds(container.livenessProbe->periodSeconds) +
              kLate);
    if (answer.decided) return;
  } else if (answer.decided) {
    return;
  }
  const auto& probe = type == "startup"     ? container.startupProbe
                      : type == "readiness" ? container.readinessProbe
                                            : container.livenessProbe;
  owe(instance, type, std::max(now, last.asked + seconds(probe->periodSeconds)) + kLate);
}

// If the berthd that called is gone before the start took effect, it runs no probe, and a container
// with a postStart hook does not count as running before the hook has returned.
void CadenceInvariants::started(const Instance& instance) {
  const auto pod = invariants_.pods().find(instance.pod_uid);
  if (!here_since_ || *instance.start_called < *here_since_ || pod == invariants_.pods().end())
    return;
  const api::PodSpec& spec = pod->second.pod->spec;
  const api::Container* container = find(spec.containers, instance.name);
  if (container == nullptr) container = find(spec.initContainers, instance.name);
  if (container == nullptr || (container->lifecycle && container->lifecycle->postStart)) return;
  const auto& probe = container->startupProbe ? container->startupProbe : container->readinessProbe;
  if (!probe) return;
  owe(instance, container->startupProbe ? "startup" : "readiness",
      *instance.started + seconds(probe->initialDelaySeconds) + kUntilSeen);
}

void CadenceInvariants::agent_restarted() {
  agent_ends();
  here_since_ = clock_.steady_now();
}

void CadenceInvariants::agent_ends() {
  here_since_.reset();
  last_.clear();
  duties_.forget_all();
}

void CadenceInvariants::owe(const Instance& instance, const std::string& type, SteadyTime until) {
  duties_.owe({.name = key_of(instance, type),
               .since = clock_.steady_now(),
               .until = until,
               .what = type + " is not asked"});
}

bool CadenceInvariants::excused(const Instance& instance, SteadyTime since) const {
  const auto pod = invariants_.pods().find(instance.pod_uid);
  if (pod == invariants_.pods().end() || !instance.live()) return true;
  const PodHistory& history = pod->second;
  if (history.spec_lost || history.is_ending() || !history.desired) return true;
  // A pod that is past its deadline ends, though a postStart hook may still delay its stop.
  const auto until = history.shown ? active_until(*history.shown) : std::nullopt;
  if (until && *until <= clock_.wall_now()) return true;
  if (!history.final_phase.empty() || invariants_.stop_began(instance)) return true;
  const auto in_its_sandbox = [&](const SandboxRecord& one) { return one.id == instance.sandbox; };
  const auto sandbox = std::ranges::find_if(runtime_->sandboxes(), in_its_sandbox);
  if (sandbox == runtime_->sandboxes().end() || sandbox->died) return true;
  return !invariants_.undisturbed_since(since);
}

// Probes of one kind run one after another: a container that has not answered yet delays the next
// one.
bool CadenceInvariants::waits_for_answer(const std::string& key) const {
  const auto self = [&](const Instance& one) { return one.id.str() == id_in(key); };
  const auto instance = std::ranges::find_if(runtime_->instances(), self);
  if (instance == runtime_->instances().end()) return false;
  const std::string type = key.substr(0, key.find(' '));
  for (const auto* other : invariants_.instances(instance->pod_uid, instance->name)) {
    const auto last = last_.find(key_of(*other, type));
    if (other != &*instance && last != last_.end() && !last->second.answered) return true;
  }
  return false;
}

void CadenceInvariants::time_passes() {
  for (const auto& duty : duties_.overdue(clock_.steady_now())) {
    const std::string id = id_in(duty.name);
    if (waits_for_answer(duty.name)) continue;
    for (const Instance& instance : runtime_->instances()) {
      if (instance.id.str() != id || excused(instance, duty.since)) continue;
      invariants_.violated(fmt::format("{}: {} for {:.1f} s", called(instance), duty.what,
                                       in_seconds(clock_.steady_now() - duty.since)));
    }
  }
}

}  // namespace berth::simulation
