// Which finished pods are no longer shown: the garbage collection of pod objects, as
// kube-controller-manager has it (terminatedPodGCThreshold; its default is 12500).
//
// Beyond the threshold evicted pods go first, then the oldest, ties by name. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/pod.hpp"

namespace berth::lifecycle {

inline constexpr std::int64_t kTerminatedPodGcThreshold = 12500;

// The uids of those that go, in order. `threshold` 0 or less: none ever. Pods that have not ended
// are passed over.
[[nodiscard]] std::vector<std::string> pods_to_collect(const std::vector<const api::Pod*>& pods,
                                                       std::int64_t threshold);

}  // namespace berth::lifecycle
