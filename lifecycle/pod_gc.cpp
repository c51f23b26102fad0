// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pod_gc.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

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

CollectionDecision decide_collection(const CollectionQuestion& question) {
  const auto& [pod, finished, before, threshold] = question;
  return {.collect = threshold > 0 && before < finished - threshold};
}

Reason collection_reason(const CollectionQuestion& question) {
  const auto& [pod, finished, before, threshold] = question;
  return {.subject = "pod",
          .rule = "TerminatedPodGC",
          .text = fmt::format("{} pods have finished, {} are kept (terminatedPodGCThreshold), and "
                              "{} of them go before it",
                              finished, threshold, before)};
}

std::vector<CollectionQuestion> pods_to_collect(const std::vector<const api::Pod*>& pods,
                                                std::int64_t threshold) {
  std::vector<const api::Pod*> finished;
  for (const api::Pod* pod : pods)
    if (is_terminal_phase(pod->status.phase)) finished.push_back(pod);
  std::ranges::sort(finished, goes_before);
  std::vector<CollectionQuestion> out;
  for (const api::Pod* pod : finished) {
    const CollectionQuestion question{.pod = *pod,
                                      .finished = static_cast<std::int64_t>(finished.size()),
                                      .before = static_cast<std::int64_t>(out.size()),
                                      .threshold = threshold};
    if (!decide_collection(question).collect) break;
    out.push_back(question);
  }
  return out;
}

}  // namespace berth::lifecycle
