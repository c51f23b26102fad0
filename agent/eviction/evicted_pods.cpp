#include "agent/eviction/evicted_pods.hpp"

#include <algorithm>

namespace berth::agent {

bool was_evicted(const api::Pod& pod) {
  const auto& status = pod.status;
  if (status.phase == "Failed" && status.reason == "Evicted") return true;
  return status.phase == "Succeeded" &&
         std::ranges::any_of(status.conditions, [](const api::PodCondition& condition) {
           return condition.type == "DisruptionTarget" &&
                  condition.reason == "TerminationByKubelet" &&
                  condition.message.starts_with("The node was low on resource: ");
         });
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
