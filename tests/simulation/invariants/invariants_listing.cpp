// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/invariants_listing.hpp"

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
bool ListingInvariants::stays_finished(const api::Pod& pod) const {
  const auto* history = invariants_.pod(pod.metadata.uid);
  return is_terminal(pod.status.phase) && history != nullptr && history->desired &&
         history->orders.empty();
}

void ListingInvariants::is(const std::vector<lifecycle::PodPtr>& pods, bool ready) {
  Listed now;
  for (const auto& pod : pods) now.emplace(pod->metadata.uid, pod);
  for (const auto& [uid, pod] : listed_)
    if (!now.contains(uid)) check_collected(*pod, now);
  for (const auto& [uid, pod] : now) {
    const auto* known = invariants_.pod(uid);
    if (known != nullptr && known->hidden)
      invariants_.violated(fmt::format("{} was deleted by force, and is listed", uid));
    if (known != nullptr && known->collected != Collected::kNo)
      invariants_.violated(fmt::format("{} was collected, and is listed", uid));
  }
  const auto finished = std::ranges::count_if(
      now, [this](const auto& entry) { return stays_finished(*entry.second); });
  if (kept_ > 0 && finished > kept_)
    invariants_.violated(
        fmt::format("{} finished pods are listed, and {} are to be kept", finished, kept_));
  if (ready) check_found_again(now);
  listed_ = std::move(now);
}

void ListingInvariants::agent_restarted() {
  if (!listed_.empty()) listed_before_ = std::move(listed_);
  listed_.clear();
  std::erase_if(listed_before_,
                [this](const auto& entry) { return !invariants_.is_stored(entry.first); });
}

// A berthd that reports that it is ready lists the running pods that its predecessor had listed and
// stored. A finished pod may have been collected since.
void ListingInvariants::check_found_again(const Listed& now) {
  for (const auto& [uid, pod] : listed_before_) {
    const auto* known = invariants_.pod(uid);
    if (now.contains(uid) || known == nullptr || !invariants_.has_sandboxes(uid)) continue;
    const bool may_go = !known->orders.empty() || (kept_ > 0 && !known->final_phase.empty());
    if (!may_go && invariants_.disturbances().none_since(invariants_.agent_began()))
      invariants_.violated(
          fmt::format("{} runs, and a berthd that is ready does not list it", uid));
  }
  listed_before_.clear();
}

void ListingInvariants::check_collected(const api::Pod& gone, const Listed& now) {
  const auto& uid = gone.metadata.uid;
  const auto* pod = invariants_.pod(uid);
  if (pod == nullptr || !pod->desired || !pod->orders.empty()) return;
  if (kept_ <= 0 || pod->final_phase.empty())
    return invariants_.violated(
        fmt::format("{} is not listed any more, and nobody ordered its end", uid));
  invariants_.is_going(uid);
  std::int64_t left = 0;
  for (const auto& [other_uid, other] : now) {
    if (!is_terminal(other->status.phase)) continue;
    ++left;
    const auto before = listed_.find(other_uid);
    const bool had_finished = before != listed_.end() && is_terminal(before->second->status.phase);
    // It may have ended, and been evicted, since it was listed.
    const api::Pod& last = pod->shown ? *pod->shown : gone;
    if (had_finished && stays_finished(*other) && rank(*other) < rank(last))
      invariants_.violated(fmt::format("{} is collected before {}", uid, other_uid));
  }
  if (left < kept_)
    invariants_.violated(
        fmt::format("{} is collected, and only {} of {} finished pods are left", uid, left, kept_));
}

}  // namespace berth::simulation
