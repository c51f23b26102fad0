#include "lifecycle/pod_gc.hpp"

#include <algorithm>
#include <tuple>

#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {
namespace {

bool evicted(const api::Pod& pod) {
  return pod.status.phase == kFailed && pod.status.reason == "Evicted";
}

std::int64_t created_at(const api::Pod& pod) {
  const auto& created = pod.metadata.creationTimestamp;
  return created ? created->unix_seconds() : 0;
}

bool goes_before(const api::Pod* a, const api::Pod* b) {
  if (evicted(*a) != evicted(*b)) return evicted(*a);
  const std::int64_t created_a = created_at(*a);
  const std::int64_t created_b = created_at(*b);
  return std::tie(created_a, a->metadata.name, a->metadata.uid) <
         std::tie(created_b, b->metadata.name, b->metadata.uid);
}

}  // namespace

std::vector<std::string> pods_to_collect(const std::vector<const api::Pod*>& pods,
                                         std::int64_t threshold) {
  if (threshold <= 0) return {};
  std::vector<const api::Pod*> finished;
  for (const api::Pod* pod : pods)
    if (is_terminal_phase(pod->status.phase)) finished.push_back(pod);
  const auto kept = static_cast<std::size_t>(threshold);
  if (finished.size() <= kept) return {};
  std::ranges::sort(finished, goes_before);
  std::vector<std::string> uids;
  for (std::size_t i = 0; i < finished.size() - kept; ++i)
    uids.push_back(finished[i]->metadata.uid);
  return uids;
}

}  // namespace berth::lifecycle
