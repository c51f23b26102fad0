// SPDX-License-Identifier: Apache-2.0

// When to measure again: sooner the nearer a limit is, and the faster it could be reached.
//
// Pure. The kubelet checks every 10 s, which is too late for memory that a process can fill faster.
// The next sample is due after half of the time that the fastest fill needs to reach the limit, so
// that at least half of the headroom is left when the sample detects it. A file system is sampled
// only when its limit could be reached: reclaiming there takes seconds, and nothing is killed
// meanwhile.
//
// While no limit is near, a glance suffices: a single kernel file shows how much of the node's
// memory is in use, and as long as that has hardly grown, the last full look remains valid.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/trend.hpp"

namespace berth::eviction {

struct SamplingLimits {
  // A process can use up memory within a fraction of a second. At most 50 ms may pass in all from
  // the crossing of a limit to the request to stop a pod.
  Nanoseconds shortest_for_memory = std::chrono::milliseconds(20);
  // Also applies to averages of memory stalls, which the kernel updates every two seconds.
  Nanoseconds shortest = std::chrono::milliseconds(150);  // systemd-oomd's poll of swap
  // The interval while a limit is exceeded: nothing is left to detect early. A limit that could be
  // reached sooner than this is near.
  Nanoseconds beyond = std::chrono::seconds(1);
  Nanoseconds longest = std::chrono::seconds(10);  // the kubelet's interval
};

struct SamplingDecision {
  Nanoseconds interval{};
  std::optional<Threshold> decided_by{};  // unset if no threshold asks for an earlier sample

  bool operator==(const SamplingDecision&) const = default;
};

// `fastest`: how fast each signal can approach its limits on this machine, units per second: the
// larger of the rate measured at start and the fastest seen since (fastest_approach). A signal
// without a rate does not shorten the interval. An average has no rate and needs none: within its
// averaging window it changes by its full range at most.
[[nodiscard]] SamplingDecision sampling_interval(const std::vector<JudgedThreshold>& thresholds,
                                                 const Rates& fastest,
                                                 const SamplingLimits& limits = {});

// How long after a full look the next one is due, if glances, one every sampling_interval, confirm
// the last one until then. While a limit is near, the next full look is due after that interval
// itself, without a glance before it. A glance also shows what pods use, unless other processes
// release as much meanwhile; so for a limit on the pods the next full look is due after the whole
// time that the fastest fill needs, not after half of it.
[[nodiscard]] Nanoseconds glances_suffice_for(const std::vector<JudgedThreshold>& thresholds,
                                              const Rates& fastest,
                                              const SamplingLimits& limits = {});

// Whether a glance confirms the last full look. `grown`: growth of the memory in use since that
// look, in bytes; it must be less than a tenth of the headroom that each memory limit had then.
[[nodiscard]] bool glance_suffices(const std::vector<JudgedThreshold>& thresholds,
                                   std::int64_t grown);

// Raises the fastest rates of memory use to what a glance shows, as readings do. `grown`: bytes,
// from one glance to the next.
void learn_from_glance(Rates& fastest, std::int64_t grown, Nanoseconds within);

// Whether a file system's limit could have been reached since that file system was measured. The
// next look then measures it again, even if memory is the reason for that look. `now`: on the clock
// of its readings.
[[nodiscard]] bool file_system_is_due(const std::vector<JudgedThreshold>& thresholds,
                                      const Rates& fastest, WallTime now,
                                      const SamplingLimits& limits = {});

// Whether a limit that could be reached within `beyond`, for which the node is therefore sampled
// more often, has less than three quarters of its headroom in `then`: the pods' use may have
// changed since. A limit whose headroom in `then` is unknown counts as nearer.
[[nodiscard]] bool came_nearer(const std::vector<JudgedThreshold>& then,
                               const std::vector<JudgedThreshold>& now, const Rates& fastest,
                               const SamplingLimits& limits = {});

}  // namespace berth::eviction
