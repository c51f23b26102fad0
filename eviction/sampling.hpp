// SPDX-License-Identifier: Apache-2.0

// When to measure again: sooner the nearer a limit is, and the faster it could be reached.
//
// Pure. The kubelet checks every 10 s, which is too late for memory that a process can fill faster.
// The next sample is due after half of the time that the fastest fill would need to reach the
// limit: then at least half of the headroom is left when it is noticed. A file system is sampled
// when its limit could be reached: what is reclaimed there takes seconds, and nothing is killed
// meanwhile.
//
// While no limit is near, it is enough to see at a glance, from one file of the kernel, how much of
// the node's memory is in use: as long as that has hardly grown, the last look at everything
// stands.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/trend.hpp"

namespace berth::eviction {

struct SamplingLimits {
  // A process can use up memory within a fraction of a second. From the crossing of a limit to the
  // request to stop a pod 50 ms may pass in all.
  Nanoseconds shortest_for_memory = std::chrono::milliseconds(20);
  // Also of averages of memory's stalls, which the kernel renews every two seconds.
  Nanoseconds shortest = std::chrono::milliseconds(150);  // systemd-oomd's poll of swap
  // While a limit is exceeded there is nothing left to notice early. One that could be reached
  // sooner is near.
  Nanoseconds beyond = std::chrono::seconds(1);
  Nanoseconds longest = std::chrono::seconds(10);  // the kubelet's interval
};

struct SamplingDecision {
  Nanoseconds interval{};
  std::optional<Threshold> decided_by{};  // unset if no threshold asks for an earlier sample

  bool operator==(const SamplingDecision&) const = default;
};

// `fastest`: how fast each signal can approach its limits on this machine, units per second: the
// larger of what was measured at start and what was seen since (fastest_approach). A signal without
// a rate asks for nothing. An average has none and needs none: within the time that it is taken
// over it moves by the whole at the most.
[[nodiscard]] SamplingDecision sampling_interval(const std::vector<JudgedThreshold>& thresholds,
                                                 const Rates& fastest,
                                                 const SamplingLimits& limits = {});

// How long after a look at everything the next one is due, if glances, one every sampling_interval,
// confirm it until then. While a limit is near it is due at that interval itself, and no glance
// before it. What pods take shows at a glance as well, unless others release as much meanwhile: a
// limit of theirs has the next look due after the whole time that the fastest fill would need, not
// after half of it.
[[nodiscard]] Nanoseconds glances_suffice_for(const std::vector<JudgedThreshold>& thresholds,
                                              const Rates& fastest,
                                              const SamplingLimits& limits = {});

// Whether a glance confirms the last look. `grown`: bytes of memory in use beyond what there was at
// that look; less than a tenth of what any limit of memory had left then.
[[nodiscard]] bool glance_suffices(const std::vector<JudgedThreshold>& thresholds,
                                   std::int64_t grown);

// Glances teach how fast memory can be used up, as readings do. `grown`: bytes, from one glance to
// the next.
void learn_from_glance(Rates& fastest, std::int64_t grown, Nanoseconds within);

// Whether a file system's limit could have been reached since it was measured, however soon memory
// has the node looked at: the next look measures it anew. `now`: by the clock of its readings.
[[nodiscard]] bool file_system_is_due(const std::vector<JudgedThreshold>& thresholds,
                                      const Rates& fastest, WallTime now,
                                      const SamplingLimits& limits = {});

// Whether a limit that could be reached soon, so that the node is looked at more often than
// `beyond` for it, has come nearer than three quarters of its distance `then`: who uses what may
// have changed since. One whose distance `then` is not known counts as nearer.
[[nodiscard]] bool came_nearer(const std::vector<JudgedThreshold>& then,
                               const std::vector<JudgedThreshold>& now, const Rates& fastest,
                               const SamplingLimits& limits = {});

}  // namespace berth::eviction
