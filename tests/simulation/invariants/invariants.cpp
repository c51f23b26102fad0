// SPDX-License-Identifier: Apache-2.0

// What is wanted, ordered, remembered and shown.
#include "tests/simulation/invariants/invariants.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "lifecycle/unsupported.hpp"
#include "lifecycle/worker/pod_identity.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"
#include "tests/simulation/simulated_host.hpp"
#include "tests/simulation/simulated_store.hpp"

namespace berth::simulation {
namespace {

using lifecycle::Verdict;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A disk fault that ended longer ago than this no longer excuses anything.
constexpr seconds kDiskForgiven{10};

// The zone of a node changes; its name does not.
bool can_run(const api::Pod& pod) {
  if (!lifecycle::unsupported_fields(pod).empty()) return false;
  const auto elsewhere = pod.spec.nodeSelector.find("kubernetes.io/hostname");
  return elsewhere == pod.spec.nodeSelector.end() || elsewhere->second == kNodeName;
}

std::string end_of(const api::ContainerStatus& status) {
  const auto& ended = status.state.terminated;
  return fmt::format("\"{}, {}, restarts {}{}\"", status.containerID,
                     ended ? fmt::format("code {}", ended->exitCode) : "not ended",
                     status.restartCount, status.lastState.terminated ? ", and one before" : "");
}

}  // namespace

void Invariants::violated(std::string what) {
  if (!violation_) violation_ = std::move(what);
}

const api::Lifecycle* lifecycle_of(const PodHistory& pod, const std::string& name) {
  if (pod.spec_lost) return nullptr;
  const api::PodSpec& spec = pod.pod->spec;
  for (const auto* list : {&spec.containers, &spec.initContainers})
    for (const api::Container& container : *list)
      if (container.name == name) return container.lifecycle ? &*container.lifecycle : nullptr;
  return nullptr;
}

PodHistory* Invariants::history(const std::string& uid) {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

const PodHistory* Invariants::pod(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

const lifecycle::PodMemory* Invariants::row(const std::string& uid) const {
  const auto found = world_.store->rows().find(uid);
  return found == world_.store->rows().end() ? nullptr : found->second.get();
}

std::vector<const Instance*> Invariants::instances(const std::string& uid,
                                                   const std::string& name) const {
  std::vector<const Instance*> found;
  const auto pod = pods_.find(uid);
  const auto& all = world_.runtime->instances();
  for (auto i = pod == pods_.end() ? 0 : pod->second.life; i < all.size(); ++i) {
    if (all[i].pod_uid == uid && all[i].name == name) found.push_back(&all[i]);
  }
  return found;
}

bool Invariants::waits_for_exit_to_show(const Instance& instance) const {
  if (instance.starting || instance.started || instance.exited || instance.removed) return false;
  const auto all = instances(instance.pod_uid, instance.name);
  return std::ranges::any_of(all, [&](const Instance* other) {
    return other->exit_shown && *other->exit_shown > clock_.steady_now();
  });
}

bool Invariants::is_known(const std::string& uid) const {
  return row(uid) != nullptr || has_sandboxes(uid);
}

bool Invariants::is_stored_as(const std::string& uid, lifecycle::EndCause cause) const {
  const auto* memory = row(uid);
  return memory != nullptr && memory->end && memory->end->ending.cause == cause;
}

bool Invariants::has_sandboxes(const std::string& uid) const {
  return std::ranges::any_of(world_.runtime->sandboxes(), [&](const SandboxRecord& sandbox) {
    return sandbox.config.metadata.uid == uid && !sandbox.removed;
  });
}

bool Invariants::stays_desired(const std::string& name) const {
  return std::ranges::any_of(pods_, [&name](const auto& entry) {
    const PodHistory& pod = entry.second;
    return pod.desired && pod.orders.empty() && pod.pod->metadata.name == name;
  });
}

bool Invariants::left_since(const std::string& uid, SteadyTime instant) const {
  return std::ranges::any_of(world_.runtime->sandboxes(), [&](const SandboxRecord& sandbox) {
    return sandbox.config.metadata.uid == uid && sandbox.removed && *sandbox.removed >= instant;
  });
}

bool Invariants::has_ready_sandbox(const std::string& uid) const {
  return std::ranges::any_of(world_.runtime->sandboxes(), [&](const SandboxRecord& sandbox) {
    return sandbox.config.metadata.uid == uid && !sandbox.died;
  });
}

void Invariants::pods_desired(const std::vector<PodPtr>& pods, bool first_of_life) {
  std::set<std::string> now;
  for (const auto& pod : pods) now.insert(pod->metadata.uid);
  for (const std::string& name : broken_) {
    const auto is = [&name](const PodPtr& pod) { return pod->metadata.name == name; };
    if (std::ranges::none_of(pods, is))
      violated(name + " is no longer desired, and its file is only broken");
  }
  for (auto& [uid, pod] : pods_)
    if (!now.contains(uid)) withdraw(uid, pod, first_of_life);
  for (const auto& pod : pods) desire(pod, first_of_life);
  for (const std::string& uid : std::exchange(goes_on_, {}))
    if (!now.contains(uid) && has_ready_sandbox(uid))
      violated(fmt::format("{} runs, and this berthd does not go on with it", uid));
}

void Invariants::desire(const PodPtr& pod, bool first_of_life) {
  const auto [entry, unheard_of] = pods_.try_emplace(pod->metadata.uid);
  PodHistory& history = entry->second;
  const auto* memory = row(pod->metadata.uid);
  const bool nothing_left = memory == nullptr && !has_sandboxes(pod->metadata.uid);
  // A kubelet's pod whose manifest was gone when this berthd looked: it is being ended.
  if (unheard_of && !first_of_life && !nothing_left) {
    history.pod = pod;
    history.spec_lost = true;
    history.orders.push_back({.at = agent_began_, .grace = seconds(1)});
  }
  // A pod that no store knew was found in the runtime and has ended: the manifest makes a new one.
  // If an earlier berthd had stored the order, the end is yet to be published.
  if (history.spec_lost && nothing_left && !history.orders.empty() &&
      history.orders.front().at >= agent_began_)
    history.orders.clear();
  if (!history.orders.empty()) {
    // While it ends, the folder still wants it, or its successor under the same uid.
    if (first_of_life && !is_pinned(*pod))
      violated(fmt::format("{} was ordered to end, which is forgotten", pod->metadata.uid));
    if (first_of_life && memory != nullptr) history.pod = memory->pod;
    history.again = pod;
    // The removal of a pod that never existed is not published; that of a pod whose end was stored
    // before this berthd began is.
    const bool restored =
        memory != nullptr && removes(memory->end) && history.orders.front().at <= agent_began_;
    const bool was =
        restored || history.shown || history.admitted || has_sandboxes(pod->metadata.uid);
    if (!first_of_life && !was && clock_.steady_now() - history.orders.back().at > seconds(1))
      begin_anew(history, pod);
    return;
  }
  if (is_pinned(*pod)) {
    if (first_of_life && memory != nullptr && memory->verdict == Verdict::kEnded)
      return begin_anew(history, pod);
    const auto& known = first_of_life && memory != nullptr ? memory->pod : history.pod;
    const bool is_there = first_of_life ? memory != nullptr : history.desired;
    if (is_there && known && differ_in_text(*known, *pod))
      return replace(history, pod, first_of_life);
  } else if (first_of_life)
    check_stays_deleted(pod->metadata.uid);
  // A pod whose manifest was removed may come back with the manifest.
  if (memory != nullptr && memory->verdict == Verdict::kEnded && !is_pinned(*pod) &&
      successors_.contains(pod->metadata.uid))
    violated(fmt::format("{} has ended, which is forgotten", pod->metadata.uid));
  if (!history.desired && nothing_left)
    history = PodHistory{.life = world_.runtime->instances().size()};  // it begins, or begins anew
  history.pod = pod;
  const bool before = std::exchange(history.desired, true);
  if (history.collected != Collected::kNo || (before && !first_of_life)) return;
  // A pod that exists, or is known, and was not refused has been admitted: it is not admitted
  // again, even if after the loss of the state file its manifest became another pod under the same
  // uid.
  const bool refused = memory != nullptr && memory->verdict == Verdict::kRejected;
  const bool let_in = first_of_life && !nothing_left && !refused;
  if (let_in) history.admitted = true;
  history.may_run = let_in ? lifecycle::unsupported_fields(*pod).empty() : can_run(*pod);
}

// A changed text of its manifest ends the pod, and its successor has the same uid; unless the pod
// is over, and only its verdict is left.
void Invariants::replace(PodHistory& pod, const PodPtr& desired, bool first_of_life) {
  const auto& uid = desired->metadata.uid;
  const auto* memory = row(uid);
  if (first_of_life) {
    if (memory->verdict != Verdict::kNone && !has_sandboxes(uid)) return begin_anew(pod, desired);
    // Its successor may have been begun by a berthd that could not store it.
    pod.pod = memory->pod;
    pod.admitted = false;
  }
  pod.desired = false;
  pod.again = desired;
  pod.orders.push_back(
      {.at = clock_.steady_now(), .grace = std::max(own_grace(*pod.pod), seconds(1))});
}

// The removal of the pod that had the uid before is not published.
void Invariants::begin_anew(PodHistory& pod, const PodPtr& desired) {
  if (pod.pod)
    for (auto* sink : also_) sink->removed(pod.pod);
  listing_.forget_before_restart(desired->metadata.uid);
  pod.again = desired;
  if (!pod.pod) pod.pod = desired;
  begin_again(pod);
}

// The edited pod is shown without the end of the pod before it having been published: nothing may
// be left of that one.
void Invariants::begin_unseen(PodHistory& pod, const api::Pod& shown) {
  const auto recent = clock_.steady_now() - seconds(30);
  for (const auto& sandbox : world_.runtime->sandboxes())
    if (sandbox.config.metadata.uid == shown.metadata.uid && !sandbox.removed &&
        sandbox.created < recent)
      violated(fmt::format("{} is shown as its manifest says now, and sandbox {} is of before",
                           shown.metadata.uid, sandbox.config.metadata.attempt));
  begin_anew(pod, pod.again);
}

// With its own grace period, if the store still has the pod; else with the shortest.
void Invariants::withdraw(const std::string& uid, PodHistory& pod, bool first_of_life) {
  const auto* memory = row(uid);
  const bool ended = memory != nullptr &&
                     (memory->verdict == Verdict::kEnded || memory->verdict == Verdict::kCollected);
  const bool found = first_of_life && !ended && (memory != nullptr || has_sandboxes(uid));
  const bool was_desired = std::exchange(pod.desired, false);
  pod.again.reset();
  if (!pod.orders.empty()) return;
  const auto collected = std::exchange(pod.collected, Collected::kNo);
  if ((first_of_life && !found) || collected == Collected::kGone) {
    pod = PodHistory{.pod = pod.pod, .life = world_.runtime->instances().size()};
    return;
  }
  if (!was_desired && !found) return;
  pod.spec_lost = first_of_life && memory == nullptr;
  const auto grace = pod.spec_lost ? seconds(1) : std::max(own_grace(*pod.pod), seconds(1));
  pod.orders.push_back({.at = clock_.steady_now(), .grace = grace});
}

void Invariants::follows(const api::Pod& ended, const PodPtr& next) {
  if (auto* pod = history(ended.metadata.uid)) {
    pod->desired = false;
    // It was collected: that nothing is left of it is not published.
    if (pod->collected == Collected::kGone)
      *pod = PodHistory{.pod = pod->pod, .life = world_.runtime->instances().size()};
  }
  if (!next) return;
  successors_[ended.metadata.uid] = next->metadata.uid;
  desire(next, false);
}

void Invariants::is_going(const std::string& uid) {
  auto* pod = history(uid);
  if (pod->collected == Collected::kNo) pod->collected = Collected::kGoing;
}

void Invariants::ordered_to_end(const std::string& uid, std::optional<seconds> grace) {
  auto* pod = history(uid);
  if (pod == nullptr) return;
  pod->desired = false;
  if (pod->collected == Collected::kGoing) pod->collected = Collected::kNo;
  // It already ends, and this order changes nothing.
  if (!grace && !pod->orders.empty()) return;
  pod->orders.push_back({.at = clock_.steady_now(),
                         .grace = std::max(grace.value_or(own_grace(*pod->pod)), seconds(1))});
}

// Called when the order has been accepted.
void Invariants::forced(const std::string& uid) {
  if (auto* pod = history(uid)) pod->hidden = true;
}

void Invariants::deletion_stored(const std::string& uid) {
  const auto* pod = history(uid);
  const auto* memory = row(uid);
  if (pod == nullptr || pod->orders.empty() || memory == nullptr || removes(memory->end)) return;
  if (memory->verdict != Verdict::kEnded)
    violated(fmt::format("the deletion of {} was answered as stored, and it is not", uid));
}

// The manifest was removed and written again, and the pod before was never shown, so its end is not
// shown either: the pod published now is the refused new one, unless it has the text from before an
// edit.
bool Invariants::is_refused_anew(const api::Pod& pod, const PodHistory& history) const {
  const auto& uid = pod.metadata.uid;
  if (!history.again || history.shown || history.admitted || has_sandboxes(uid)) return false;
  const auto* memory = row(uid);
  return !differ_in_text(*history.again, pod) && memory != nullptr &&
         memory->verdict == Verdict::kRejected && is_terminal(pod.status.phase) &&
         !pod.metadata.deletionTimestamp;
}

void Invariants::published(const PodPtr& pod) {
  const auto& uid = pod->metadata.uid;
  auto* history = this->history(uid);
  if (history != nullptr) follow_silently(uid, *history);
  if (history == nullptr || history->spec_lost) return;
  if (history->again && differ_in_text(*history->pod, *pod) &&
      !differ_in_text(*history->again, *pod))
    begin_unseen(*history, *pod);
  if (is_refused_anew(*pod, *history)) begin_again(*history);
  if (!history->desired && history->orders.empty())
    return;  // remains of an ended pod that turned up again
  if (history->hidden || history->collected != Collected::kNo)
    violated(fmt::format("{} is shown, and was {}", uid,
                         history->hidden ? "deleted by force" : "collected"));
  check_grace_shown(*pod, *history);
  check_disruption(*pod, *history);
  const auto& phase = pod->status.phase;
  if (!history->final_phase.empty() && phase != history->final_phase) {
    violated(fmt::format("{} was {} and is {}", uid, history->final_phase, phase));
  }
  if (is_terminal(phase)) check_final(pod, *history);
  // A new sandbox begins the init sequence from scratch, including its restart counts.
  for (const auto& status : pod->status.containerStatuses) {
    auto& highest = history->restarts[status.name];
    if (status.restartCount < highest) {
      violated(fmt::format("{} of {} was restarted {} times and now {} times", status.name, uid,
                           highest, status.restartCount));
    }
    highest = std::max(highest, status.restartCount);
    if (status.lastState.running) {
      violated(
          fmt::format("{} of {} is shown to run as it was before its restart", status.name, uid));
    }
  }
  history->shown = pod;
  for (auto* sink : also_) sink->published(pod);
}

// Once a final phase is shown, nothing runs any more and the store has it.
void Invariants::check_final(const PodPtr& pod, PodHistory& history) {
  const auto& uid = pod->metadata.uid;
  const auto& phase = pod->status.phase;
  const bool first = history.final_phase.empty();
  history.final_phase = phase;
  if (first) history.final_reason = pod->status.reason;
  if (history.final_reason != pod->status.reason)
    violated(fmt::format("{} was {} for {}, and is for {}", uid, phase, history.final_reason,
                         pod->status.reason));
  for (const auto& instance : world_.runtime->instances()) {
    if (instance.pod_uid != uid || !instance.live() || start_came_late(instance)) continue;
    violated(fmt::format("{} is shown as {} while {} runs", uid, phase, called(instance)));
  }
  if (pod->status.reason == "NodeAffinity" && history.admitted)
    violated(fmt::format("{} was admitted, and is refused now", uid));
  check_ends(*pod, history);
  // A pod that was never begun and is deleted by force is shown as Failed, once, and then removed.
  if (!first || (!history.admitted && !history.orders.empty())) return;
  check_kept_end(*pod, history);
  if (!history.is_ending() && world_.store->calm(kDiskForgiven))
    check_not_interrupted(*pod, history);
  const auto* memory = row(uid);
  if (memory == nullptr || memory->verdict == Verdict::kNone)
    violated(fmt::format("{} is shown as {} before the store knows", uid, phase));
}

// A container that was stopped for a new sandbox, a probe or an edit is restarted: its exit does
// not finish the pod. A failed postStart hook and a deadline stop for good.
void Invariants::check_not_interrupted(const api::Pod& pod, const PodHistory& history) {
  const auto& spec = history.pod->spec;
  if (spec.restartPolicy == "Never" || spec.activeDeadlineSeconds || history.spec_lost) return;
  // If an init container fails for good, so does the pod.
  const auto failed = [&](const api::Container& init) {
    const auto all = instances(pod.metadata.uid, init.name);
    return !is_sidecar(init) && !all.empty() && all.back()->exited && all.back()->exit_code != 0 &&
           !restarts_after(spec, init, all.back()->exit_code);
  };
  if (std::ranges::any_of(spec.initContainers, failed)) return;
  for (const api::Container& container : spec.containers) {
    if (policy_of(spec, container) == "Never") continue;
    if (container.lifecycle && container.lifecycle->postStart) continue;
    // A container that is killed for a probe while its backoff lasts is judged by its exit, as by a
    // kubelet.
    if (container.livenessProbe || container.startupProbe) continue;
    const Instance* last = nullptr;
    for (const auto* one : instances(pod.metadata.uid, container.name))
      if (one->started && one->exited) last = one;
    if (last == nullptr || !last->first_term || *last->first_term > *last->exited) continue;
    if (started_before_loss(last->id.str())) continue;  // why it was stopped is lost as well
    // An order that never was durable is lost as well.
    const auto before = [last](const EndOrder& order) { return order.at <= *last->first_term; };
    if (std::ranges::any_of(history.forgotten, before)) continue;
    // So is a stop that a full disk did not store, once another berthd runs.
    const auto since = clock_.steady_now() - *last->first_term + seconds(1);
    if (*last->first_term < agent_began_ && !world_.store->calm(since)) continue;
    violated(fmt::format("{} is {}, and {} had been stopped by berthd", pod.metadata.uid,
                         pod.status.phase, called(*last)));
  }
}

// With a final phase, how each container ended is final; missing details may still be added.
void Invariants::check_ends(const api::Pod& pod, PodHistory& history) {
  for (const auto* statuses : {&pod.status.initContainerStatuses, &pod.status.containerStatuses}) {
    for (const api::ContainerStatus& status : *statuses) {
      const auto& ended = status.state.terminated;
      const auto known = history.ends.find(status.name);
      const bool stays = known == history.ends.end() ||
                         (ended && status.containerID == known->second.containerID &&
                          status.restartCount == known->second.restartCount &&
                          status.lastState.terminated.has_value() ==
                              known->second.lastState.terminated.has_value() &&
                          ended->exitCode == known->second.state.terminated->exitCode);
      if (!stays)
        violated(fmt::format("{} is {}, and how its {} ended has changed from {} to {}",
                             pod.metadata.uid, pod.status.phase, status.name, end_of(known->second),
                             end_of(status)));
      if (ended) history.ends[status.name] = status;
    }
  }
}

void Invariants::removed(const PodPtr& pod) {
  const auto& uid = pod->metadata.uid;
  auto* history = this->history(uid);
  if (history == nullptr) return;
  for (auto* sink : also_) sink->removed(pod);
  const bool unordered = history->desired && history->orders.empty();
  // Its end may have been shown in an earlier life, which a full disk did not store to its end.
  const bool finished = !history->final_phase.empty() || history->collected == Collected::kGoing;
  const bool collected = unordered && listing_.collects() && finished;
  // berthd may have listed a sandbox of the life before this one, under the same uid, right before
  // the runtime removed it, or a full disk still has that life's row: then it removes that life
  // first.
  const auto* memory = row(uid);
  const bool of_before = left_since(uid, agent_began_) ||
                         (memory != nullptr && lifecycle::is_edited(*memory->pod, *history->pod));
  if (unordered && !collected && is_pinned(*history->pod) && !history->admitted && of_before) {
    listing_.forget(uid);
    history->again = history->pod;
    return begin_again(*history);
  }
  if (unordered && !collected) violated(fmt::format("{} is lost: nobody ordered its end", uid));
  // The next relist finds what a call of unknown outcome created a moment ago.
  const auto recent = clock_.steady_now() - seconds(30);
  for (const auto& instance : world_.runtime->instances()) {
    if (instance.pod_uid == uid && !instance.removed && instance.created < recent) {
      violated(fmt::format("{} is gone and its container {} is still there", uid, instance.name));
    }
  }
  for (const auto& sandbox : world_.runtime->sandboxes()) {
    if (sandbox.config.metadata.uid == uid && !sandbox.removed && sandbox.created < recent) {
      violated(fmt::format("{} is gone and its sandbox {} is still there", uid,
                           sandbox.config.metadata.attempt));
    }
  }
  if (const auto left = world_.host->left_of(uid); !left.empty()) {
    violated(fmt::format("{} is gone and left{}", uid, left));
  }
  if (collected) {
    history->collected = Collected::kGone;
    history->life = world_.runtime->instances().size();
    return;
  }
  listing_.forget(uid);
  begin_again(*history);
}

// The end of an unwanted pod without a record in the store is not published.
void Invariants::follow_silently(const std::string& uid, PodHistory& pod) {
  if (pod.spec_lost && pod.again && !has_sandboxes(uid)) begin_again(pod);
}

// Nothing is left of its previous life; it begins another one if it is wanted again.
void Invariants::begin_again(PodHistory& pod) {
  const auto again = pod.again;
  pod = PodHistory{.pod = pod.pod, .life = world_.runtime->instances().size()};
  if (!again) return;
  pod.pod = again;
  pod.desired = true;
  pod.may_run = can_run(*again);
}

}  // namespace berth::simulation
