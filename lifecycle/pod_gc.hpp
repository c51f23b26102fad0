// SPDX-License-Identifier: Apache-2.0

// Which finished pods are no longer shown: the garbage collection of pod objects, as in
// kube-controller-manager (terminatedPodGCThreshold; its default is 12500).
//
// Beyond the threshold, evicted pods are collected first, then the oldest; ties are broken by name.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/pod.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

inline constexpr std::int64_t kTerminatedPodGcThreshold = 12500;

// A finished pod among all that have finished.
struct CollectionQuestion {
  RefOrValue<api::Pod> pod{};  // the pod in question; decides nothing
  std::int64_t finished = 0;   // all finished pods, including this one
  std::int64_t before = 0;     // pods that are collected before this one
  std::int64_t threshold = 0;
};

struct CollectionDecision {
  bool collect = false;

  bool operator==(const CollectionDecision&) const = default;
};

// With a threshold of 0 or less, no pod is ever collected.
[[nodiscard]] CollectionDecision decide_collection(const CollectionQuestion& question);

// Why, as a clause.
[[nodiscard]] Reason collection_reason(const CollectionQuestion& question);

// The pods to collect, in order, each with its question. Pods that have not ended are skipped. The
// questions refer to the pods.
[[nodiscard]] std::vector<CollectionQuestion> pods_to_collect(
    const std::vector<const api::Pod*>& pods, std::int64_t threshold);

}  // namespace berth::lifecycle
