// SPDX-License-Identifier: Apache-2.0

// What must be true of the listing: pods deleted by force vanish from it at once, finished pods
// beyond a number are removed in their order, and nothing else ever vanishes.
#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "tests/simulation/invariants/invariants.hpp"
#include "tests/simulation/invariants/pod_facts.hpp"

namespace berth::simulation {
namespace {

// Evicted ones first, then the oldest.
auto rank(const api::Pod& pod) {
  const auto& created = pod.metadata.creationTimestamp;
  return std::tuple(pod.status.reason != "Evicted", created ? created->unix_seconds() : 0,
                    pod.metadata.name);
}

}  // namespace

// A finished pod whose end was not ordered stays, unless there are too many.
bool Invariants::stays_finished(const api::Pod& pod) const {
  const auto history = pods_.find(pod.metadata.uid);
  return is_terminal(pod.status.phase) && history != pods_.end() && history->second.desired &&
         history->second.orders.empty();
}

void Invariants::listing_is(const std::vector<PodPtr>& pods, bool ready) {
  std::map<std::string, PodPtr> now;
  for (const auto& pod : pods) now.emplace(pod->metadata.uid, pod);
  for (const auto& [uid, pod] : listed_)
    if (!now.contains(uid)) check_collected(*pod, now);
  for (const auto& [uid, pod] : now) {
    const auto* known = history(uid);
    if (known != nullptr && known->hidden)
      violated(fmt::format("{} was deleted by force, and is listed", uid));
    if (known != nullptr && known->collected != Collected::kNo)
      violated(fmt::format("{} was collected, and is listed", uid));
  }
  const auto finished = std::ranges::count_if(
      now, [this](const auto& entry) { return stays_finished(*entry.second); });
  if (kept_ > 0 && finished > kept_)
    violated(fmt::format("{} finished pods are listed, and {} are to be kept", finished, kept_));
  if (ready) check_found_again(now);
  listed_ = std::move(now);
}

// A berthd that reports that it is ready lists the running pods that its predecessor had listed and
// stored. A finished pod may have been collected since.
void Invariants::check_found_again(const std::map<std::string, PodPtr>& now) {
  for (const auto& [uid, pod] : listed_before_) {
    const auto* known = history(uid);
    if (now.contains(uid) || known == nullptr || !has_sandboxes(uid)) continue;
    const bool may_go = !known->orders.empty() || (kept_ > 0 && !known->final_phase.empty());
    if (!may_go && disturbances_.none_since(agent_began_))
      violated(fmt::format("{} runs, and a berthd that is ready does not list it", uid));
  }
  listed_before_.clear();
}

void Invariants::check_collected(const api::Pod& gone, const std::map<std::string, PodPtr>& now) {
  const auto& uid = gone.metadata.uid;
  auto* pod = history(uid);
  if (pod == nullptr || !pod->desired || !pod->orders.empty()) return;
  if (kept_ <= 0 || pod->final_phase.empty())
    return violated(fmt::format("{} is not listed any more, and nobody ordered its end", uid));
  if (pod->collected == Collected::kNo) pod->collected = Collected::kGoing;
  std::int64_t left = 0;
  for (const auto& [other_uid, other] : now) {
    if (!is_terminal(other->status.phase)) continue;
    ++left;
    const auto before = listed_.find(other_uid);
    const bool had_finished = before != listed_.end() && is_terminal(before->second->status.phase);
    // It may have ended, and been evicted, since it was listed.
    const api::Pod& last = pod->shown ? *pod->shown : gone;
    if (had_finished && stays_finished(*other) && rank(*other) < rank(last))
      violated(fmt::format("{} is collected before {}", uid, other_uid));
  }
  if (left < kept_)
    violated(
        fmt::format("{} is collected, and only {} of {} finished pods are left", uid, left, kept_));
}

// The time that a pod has to end only ever shrinks.
void Invariants::check_grace_shown(const api::Pod& pod, PodHistory& history) {
  const auto& shown = pod.metadata.deletionGracePeriodSeconds;
  if (history.grace_shown && (!shown || *shown > *history.grace_shown))
    violated(fmt::format("{} had {} s to end, and is shown with {} s", pod.metadata.uid,
                         *history.grace_shown, shown.value_or(-1)));
  history.grace_shown = shown;
}

}  // namespace berth::simulation
