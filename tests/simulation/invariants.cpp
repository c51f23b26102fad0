#include "tests/simulation/invariants.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "tests/simulation/simulated_host.hpp"
#include "tests/simulation/simulated_runtime.hpp"

namespace berth::simulation {
namespace {

using std::chrono::seconds;

constexpr seconds kShortestGrace{2};  // what StopContainer gets at least

std::string called(const Instance& instance) {
  return fmt::format("{} of {} (attempt {})", instance.name, instance.pod_uid,
                     instance.config.metadata.attempt);
}

bool terminal(const std::string& phase) {
  return phase == "Succeeded" || phase == "Failed";
}

const api::Container* find(const std::vector<api::Container>& containers, const std::string& name) {
  const auto found = std::ranges::find(containers, name, &api::Container::name);
  return found == containers.end() ? nullptr : &*found;
}

bool is_sidecar(const api::Container& container) {
  return container.restartPolicy == "Always";
}

seconds own_grace(const api::Pod& pod) {
  return seconds(pod.spec.terminationGracePeriodSeconds.value_or(30));
}

double in_seconds(Nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

void Invariants::violated(std::string what) {
  if (!violation_) violation_ = std::move(what);
}

PodHistory* Invariants::history(const std::string& uid) {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

std::vector<const Instance*> Invariants::instances(const std::string& uid,
                                                   const std::string& name) const {
  std::vector<const Instance*> found;
  const auto pod = pods_.find(uid);
  const auto& all = runtime_->instances();
  for (auto i = pod == pods_.end() ? 0 : pod->second.life; i < all.size(); ++i) {
    if (all[i].pod_uid == uid && all[i].name == name) found.push_back(&all[i]);
  }
  return found;
}

void Invariants::wished(const PodPtr& pod, bool may_run, AgentKnows agent) {
  auto& history = pods_[pod->metadata.uid];
  const bool known = agent == AgentKnows::kThePod;
  if (agent == AgentKnows::kNothingYet) {
    // It finds pod and wish together; a deletion that was under way is forgotten, if not done.
    if (!history.orders.empty() && !has_sandboxes(pod->metadata.uid)) {
      history = PodHistory{.life = runtime_->instances().size()};
    }
    if (!history.orders.empty()) history.final_phase.clear();
    history.forgotten.insert(history.forgotten.end(), history.orders.begin(), history.orders.end());
    history.orders.clear();
    history.spec_lost = false;
  }
  if (!history.wished && !known && !has_sandboxes(pod->metadata.uid)) {
    history = PodHistory{.life = runtime_->instances().size()};  // it begins, or begins anew
  }
  history.pod = pod;
  history.wished = true;
  history.may_run = may_run;
}

void Invariants::ordered_to_end(const std::string& uid, std::optional<seconds> grace,
                                AgentKnows agent) {
  auto* pod = history(uid);
  if (pod == nullptr) return;
  pod->wished = false;
  if (agent == AgentKnows::kNothingYet) return lose_spec(uid, *pod);
  pod->orders.push_back({.at = clock_.steady_now(),
                         .grace = std::max(grace.value_or(own_grace(*pod->pod)), seconds(1))});
}

// The manifest went before the agent looked: it finds containers that nobody wishes, and ends them
// with the shortest grace period. If there is nothing to find, what the machine has of the pod
// stays: only a store could tell of it.
void Invariants::lose_spec(const std::string& uid, PodHistory& pod) {
  pod.orders.push_back({.at = clock_.steady_now(), .grace = seconds(1)});
  pod.spec_lost = true;
  pod.traceless = !has_sandboxes(uid);
}

// The agent keeps nothing yet over a restart but what the runtime holds: backoff is forgotten, the
// count of restarts whose containers are gone, a deadline's verdict, an interrupted deletion that
// the manifest outlives, and the spec of a pod whose manifest went meanwhile.
void Invariants::agent_restarted() {
  for (auto& [uid, pod] : pods_) {
    pod.windows.clear();
    pod.restarts.clear();
    if (pod.shown && pod.shown->status.reason == "DeadlineExceeded") pod.final_phase.clear();
    if (!pod.wished) {
      lose_spec(uid, pod);
    } else {
      pod.orders.clear();
      pod.spec_lost = false;
    }
  }
}

bool Invariants::has_sandboxes(const std::string& uid) const {
  return std::ranges::any_of(runtime_->sandboxes(), [&](const SandboxRecord& sandbox) {
    return sandbox.config.metadata.uid == uid && !sandbox.removed;
  });
}

void Invariants::sandbox_created(const SandboxRecord& sandbox) {
  const auto& uid = sandbox.config.metadata.uid;
  auto* pod = history(uid);
  if (pod == nullptr) return;
  if (!pod->may_run) violated(fmt::format("{} may not run here and got a sandbox", uid));
  const auto all = std::ranges::count_if(runtime_->sandboxes(), [&](const SandboxRecord& other) {
    return other.config.metadata.uid == uid && !other.removed;
  });
  if (pod->spec_lost && pod->wished && all == 1) {
    // The end of a pod that nobody wished is not told: it shows when the uid begins anew.
    pod->life = runtime_->instances().size();
    pod->orders.clear();
    pod->windows.clear();
    pod->restarts.clear();
    pod->final_phase.clear();
    pod->spec_lost = false;
  }
}

void Invariants::start_called(const Instance& instance) {
  auto* pod = history(instance.pod_uid);
  if (pod == nullptr) return violated(called(instance) + " is started and nobody wished its pod");
  if (!pod->final_phase.empty()) {
    violated(
        fmt::format("{} is started although the pod is {}", called(instance), pod->final_phase));
  }
  if (!pod->orders.empty() && clock_.steady_now() > pod->orders.front().at) {
    violated(fmt::format("{} is started {:.3f} s after its pod was ordered to end",
                         called(instance),
                         in_seconds(clock_.steady_now() - pod->orders.front().at)));
  }
  check_policy(*pod, instance);
  check_backoff(*pod, instance);
  check_order(*pod, instance);
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
  // An instance that was removed is forgotten: what follows it is a first start.
  const bool restart = std::ranges::any_of(before, [&](const Instance* other) {
    return other != &instance && other->exited && !other->removed;
  });
  if (!restart) return;
  auto& window = pod->windows[instance.name + "|" + instance.config.image.user_specified_image];
  window.window = std::clamp<Nanoseconds>(2 * window.window, seconds(10), seconds(300));
  window.last_start = clock_.steady_now();
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
  if (init != nullptr && is_sidecar(*init)) return;
  if (init != nullptr) {
    if (succeeded_here) violated(called(instance) + " is started again after it had completed");
    if (spec.restartPolicy == "Never" && last->exit_code != 0) {
      violated(called(instance) + " is started again after a failure, under policy Never");
    }
    return;
  }
  if (spec.restartPolicy == "Never") {
    violated(called(instance) + " is started again under policy Never");
  }
  if (spec.restartPolicy == "OnFailure" && last->exit_code == 0) {
    violated(called(instance) + " is started again after success, under policy OnFailure");
  }
}

// The window counts from the exit of the last instance, if it ended by itself: what the agent
// stopped itself it may start again at once.
void Invariants::check_backoff(PodHistory& pod, const Instance& instance) {
  const Instance* last = nullptr;
  for (const auto* other : instances(instance.pod_uid, instance.name)) {
    if (other != &instance && other->exited && !other->removed) last = other;
  }
  if (last == nullptr || last->first_stop_called || last->first_kill || !last->started) return;
  const auto found =
      pod.windows.find(instance.name + "|" + instance.config.image.user_specified_image);
  if (found == pod.windows.end()) return;
  if (*last->exited - found->second.last_start > seconds(600)) {
    pod.windows.erase(found);
    return;
  }
  const auto waited = clock_.steady_now() - *last->exited;
  if (waited >= found->second.window) return;
  violated(fmt::format("{} is started {:.3f} s after its exit; its backoff is {:.0f} s",
                       called(instance), in_seconds(waited), in_seconds(found->second.window)));
}

// Init containers one after another, sidecars started in their turn, then the rest; all in the
// same sandbox.
void Invariants::check_order(const PodHistory& pod, const Instance& instance) {
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

seconds Invariants::grace_of(const PodHistory& pod, SteadyTime stop_began) const {
  auto grace = seconds::max();
  for (const auto& order : pod.orders) grace = std::min(grace, order.grace);
  for (const auto& order : pod.forgotten) grace = std::min(grace, order.grace);
  if (pod.orders.empty() || stop_began < pod.orders.front().at) {
    grace = std::min(grace, own_grace(*pod.pod));
  }
  return std::max(grace, kShortestGrace);
}

SteadyTime Invariants::stop_began(const PodHistory& pod, const Instance& instance) const {
  auto began = clock_.steady_now();
  for (const auto& other : runtime_->instances()) {
    if (other.sandbox != instance.sandbox || !other.first_stop_called) continue;
    began = std::min(began, *other.first_stop_called);
  }
  if (!pod.orders.empty()) began = std::min(began, pod.orders.front().at);
  return began;
}

// Sidecars are stopped after everything that may need them, as long as the grace period lasts.
void Invariants::terminated(const Instance& instance) {
  const auto* pod = history(instance.pod_uid);
  if (pod == nullptr) return;
  const auto& spec = pod->pod->spec;
  const auto self = std::ranges::find(spec.initContainers, instance.name, &api::Container::name);
  if (self == spec.initContainers.end() || !is_sidecar(*self)) return;
  const auto began = stop_began(*pod, instance);
  if (clock_.steady_now() - began >= grace_of(*pod, began) - seconds(2)) return;
  for (const auto& other : runtime_->instances()) {
    if (other.sandbox != instance.sandbox || !other.live()) continue;
    const bool is_main = find(spec.containers, other.name) != nullptr;
    const bool is_next = self + 1 != spec.initContainers.end() && is_sidecar(*(self + 1)) &&
                         (self + 1)->name == other.name;
    if (!is_main && !is_next) continue;
    violated(fmt::format("{} gets TERM while {} still runs", called(instance), other.name));
  }
}

void Invariants::killed(const Instance& instance, KillCause cause) {
  if (cause == KillCause::kMachine) return;
  const auto* pod = history(instance.pod_uid);
  if (pod == nullptr) return;
  // A start that came long after its call, just before the sandbox was stopped: nobody could know.
  if (cause == KillCause::kStopSandbox && instance.start_called && instance.started &&
      *instance.started - *instance.start_called > seconds(1) &&
      clock_.steady_now() - *instance.started < std::chrono::milliseconds(500)) {
    return;
  }
  if (!instance.first_term) return violated(called(instance) + " gets KILL without TERM");
  const auto now = clock_.steady_now();
  const auto began = stop_began(*pod, instance);
  const auto grace = grace_of(*pod, began);
  if (now - began < grace) {
    violated(fmt::format("{} gets KILL {:.3f} s after its stop began; its grace period is {} s",
                         called(instance), in_seconds(now - began), grace.count()));
  }
  if (now - *instance.first_term < kShortestGrace) {
    violated(fmt::format("{} gets KILL {:.3f} s after TERM", called(instance),
                         in_seconds(now - *instance.first_term)));
  }
}

void Invariants::published(const PodPtr& pod) {
  const auto& uid = pod->metadata.uid;
  auto* history = this->history(uid);
  if (history == nullptr || history->spec_lost) return;
  const auto& phase = pod->status.phase;
  if (!history->final_phase.empty() && phase != history->final_phase) {
    violated(fmt::format("{} was {} and is {}", uid, history->final_phase, phase));
  }
  if (terminal(phase)) {
    history->final_phase = phase;
    for (const auto& instance : runtime_->instances()) {
      if (instance.pod_uid != uid || !instance.live()) continue;
      violated(fmt::format("{} is shown as {} while {} runs", uid, phase, called(instance)));
    }
  }
  // A new sandbox begins the init sequence from scratch, its counts as well.
  for (const auto& status : pod->status.containerStatuses) {
    auto& highest = history->restarts[status.name];
    if (status.restartCount < highest) {
      violated(fmt::format("{} of {} was restarted {} times and now {} times", status.name, uid,
                           highest, status.restartCount));
    }
    highest = std::max(highest, status.restartCount);
  }
  history->shown = pod;
}

void Invariants::removed(const PodPtr& pod) {
  const auto& uid = pod->metadata.uid;
  auto* history = this->history(uid);
  if (history == nullptr) return;
  if (history->orders.empty()) violated(fmt::format("{} is lost: nobody ordered its end", uid));
  // What a call of unknown outcome made a moment ago is found by the next relist.
  const auto recent = clock_.steady_now() - seconds(30);
  for (const auto& instance : runtime_->instances()) {
    if (instance.pod_uid == uid && !instance.removed && instance.created < recent) {
      violated(fmt::format("{} is gone and its container {} is still there", uid, instance.name));
    }
  }
  for (const auto& sandbox : runtime_->sandboxes()) {
    if (sandbox.config.metadata.uid == uid && !sandbox.removed && sandbox.created < recent) {
      violated(fmt::format("{} is gone and its sandbox {} is still there", uid,
                           sandbox.config.metadata.attempt));
    }
  }
  if (const auto left = host_->left_of(uid); !left.empty()) {
    violated(fmt::format("{} is gone and left{}", uid, left));
  }
  const bool wished_again = history->wished;
  *history = PodHistory{.pod = history->pod,
                        .wished = wished_again,
                        .may_run = history->may_run,
                        .life = runtime_->instances().size()};
}

}  // namespace berth::simulation
