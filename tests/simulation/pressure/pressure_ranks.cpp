// SPDX-License-Identifier: Apache-2.0

// PressureInvariants: who may be evicted, and who has to be.

#include <algorithm>

#include <fmt/core.h>

#include "tests/simulation/pressure/eviction_facts.hpp"
#include "tests/simulation/pressure/pressure_invariants.hpp"
#include "tests/simulation/runtime/simulated_runtime.hpp"

namespace berth::simulation {

// Since it was measured, it has finished, or is no longer shown, or nothing of it runs and it is
// only being removed or shown with the reason it was stopped for.
bool PressureInvariants::has_gone(const std::string& uid) const {
  const auto known = invariants_.pods().find(uid);
  if (known == invariants_.pods().end() || known->second.hidden) return true;
  if (!known->second.final_phase.empty()) return true;
  const auto runs = [&](const Instance& one) { return one.pod_uid == uid && one.live(); };
  const bool stays =
      known->second.desired && known->second.orders.empty() && !known->second.kept_end;
  return !stays && std::ranges::none_of(runtime_->instances(), runs);
}

// A pod that berthd does not rank has ended during the look if nothing of it runs, or if it is in
// another life by now, which was not measured.
bool PressureInvariants::is_over(const api::Pod& listed) const {
  const std::string& uid = listed.metadata.uid;
  if (look_.judged.contains(uid)) return false;
  const auto known = invariants_.pods().find(uid);
  const auto measured = look_.lives.find(uid);
  if (known != invariants_.pods().end() && measured != look_.lives.end()) {
    if (known->second.life != measured->second) return true;
    // berthd lists its pods before it measures the node, which may take its time.
    if (known->second.pod->metadata.annotations != listed.metadata.annotations) return true;
  }
  return std::ranges::none_of(
      runtime_->instances(), [&](const Instance& one) { return one.pod_uid == uid && one.live(); });
}

const eviction::PodReading* PressureInvariants::reading_of(const std::string& uid) const {
  const auto found = look_.pods.find(uid);
  return found == look_.pods.end() ? nullptr : &found->second;
}

// No pod that ranks before the victim is spared; a pod within its requests is, if so configured.
void PressureInvariants::check_rank(const api::Pod& victim, eviction::Signal signal) {
  const eviction::EvictionRules& rules = settings_->config.rules;
  const auto spared = [&](const api::Pod& pod) {
    return is_exempt(pod, rules) ||
           (!rules.evict_within_requests &&
            !exceeds_request(pod, reading_of(pod.metadata.uid), signal, duties_.layout()));
  };
  const auto rank = [&](const api::Pod& pod) {
    return rank_of(pod, reading_of(pod.metadata.uid), signal, duties_.layout());
  };
  if (spared(victim))
    invariants_.violated(victim.metadata.uid + " is within its requests, and is evicted");
  for (const auto& other : look_.active) {
    const auto& uid = other->metadata.uid;
    if (has_gone(uid) || is_over(*other) || spared(*other)) continue;
    if (rank(*other) < rank(victim))
      invariants_.violated(
          fmt::format("{} is evicted, and {} ranks before it", victim.metadata.uid, uid));
  }
}

// Whether it could be evicted for that signal now: it runs, its end was not ordered, and it is not
// exempt.
bool PressureInvariants::can_go(const std::string& uid, const PodHistory& pod,
                                eviction::Signal signal) const {
  const eviction::EvictionRules& rules = settings_->config.rules;
  if (!pod.shown || !pod.desired || pod.spec_lost || pod.is_ending() || has_gone(uid)) return false;
  if (is_exempt(*pod.shown, rules)) return false;
  if (!rules.evict_within_requests &&
      !exceeds_request(*pod.shown, reading_of(uid), signal, duties_.layout()))
    return false;
  return std::ranges::any_of(runtime_->instances(), [&](const Instance& one) {
    return one.pod_uid == uid && one.live() && !one.sight_lost;
  });
}

// What eviction owes according to the look that is over.
EvictionDuties::Owed PressureInvariants::owed() const {
  using Owed = EvictionDuties::Owed;
  if (!look_.layout_known || !model_->is_anything_due()) return Owed::kNothing;
  auto signals = model_->ripe();
  std::erase_if(signals, [this](auto signal) { return duties_.reclaims_for(signal); });
  if (signals.empty()) return Owed::kPatience;
  // Each signal may be the decisive one.
  const auto has_somebody = [this](eviction::Signal signal) {
    return std::ranges::any_of(
        invariants_.pods(), [&](const auto& one) { return can_go(one.first, one.second, signal); });
  };
  return std::ranges::all_of(signals, has_somebody) ? Owed::kAnEnd : Owed::kNothing;
}

}  // namespace berth::simulation
