// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/evicted_pods.hpp"

#include <algorithm>

#include "eviction/eviction.hpp"
#include "lifecycle/pods/ending/past_eviction.hpp"
#include "lifecycle/reasons.hpp"
#include "lifecycle/worker/pod_identity.hpp"

namespace berth::agent {

bool was_evicted(const api::Pod& pod, const api::Pod* ordered) {
  const auto& status = pod.status;
  if (status.phase == lifecycle::kFailed && status.reason == eviction::kReasonEvicted) return true;
  // The pod may have finished before the order, and an edited manifest may have its uid now.
  return status.phase == lifecycle::kSucceeded && ordered != nullptr &&
         !lifecycle::is_terminal_phase(ordered->status.phase) &&
         !lifecycle::is_edited(*ordered, pod);
}

std::vector<lifecycle::PodMemoryPtr> ordered_to_go(
    const std::vector<lifecycle::PodMemoryPtr>& recalled) {
  std::vector<lifecycle::PodMemoryPtr> pods;
  // A pod that is deleted, or whose manifest was removed, ends for that reason.
  const auto is_eviction = [](const lifecycle::Ending& ending) {
    return (ending.cause == lifecycle::EndCause::kEvicted ||
            ending.cause == lifecycle::EndCause::kCollected) &&
           lifecycle::eviction_in(ending);
  };
  for (const auto& memory : recalled)
    if (memory->end && is_eviction(memory->end->ending)) pods.push_back(memory);
  return pods;
}

std::vector<lifecycle::PodMemoryPtr> collected_since(
    const std::vector<lifecycle::PodMemoryPtr>& recalled,
    const std::function<bool(const std::string& uid)>& is_collected) {
  std::vector<lifecycle::PodMemoryPtr> pods;
  for (const auto& memory : recalled) {
    const bool by_order = memory->end && lifecycle::eviction_in(memory->end->ending);
    const bool is_shown_so = memory->status.phase == lifecycle::kFailed &&
                             memory->status.reason == eviction::kReasonEvicted;
    if ((by_order || is_shown_so) && is_collected(memory->uid)) pods.push_back(memory);
  }
  return pods;
}

void EvictedPods::add(const api::Pod& pod, SteadyTime now) {
  if (waiting_.contains(pod.metadata.uid)) return;
  std::erase_if(past_,
                [now](const auto& entry) { return now - entry.second.last >= kForgottenAfter; });
  Past& past = past_[pod.metadata.namespace_ + "/" + pod.metadata.name];
  Nanoseconds wait = kFirstWait;
  for (int i = 0; i < past.count && wait < kLongestWait; ++i) wait *= 2;
  ++past.count;
  past.last = now;
  waiting_.emplace(pod.metadata.uid, now + std::min(wait, kLongestWait));
}

std::vector<std::string> EvictedPods::due(SteadyTime now) const {
  std::vector<std::string> uids;
  for (const auto& [uid, at] : waiting_)
    if (at <= now) uids.push_back(uid);
  return uids;
}

std::optional<SteadyTime> EvictedPods::next() const {
  if (waiting_.empty()) return std::nullopt;
  return std::ranges::min_element(waiting_, {}, [](const auto& entry) { return entry.second; })
      ->second;
}

}  // namespace berth::agent
