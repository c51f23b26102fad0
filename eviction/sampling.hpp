// When to measure again: the nearer a limit, and the faster it could be reached, the sooner.
//
// Pure. The kubelet looks every 10 s, which is too late for memory that a process can fill in less.
// A look is due after half of the time that the fastest fill would need from here to the limit:
// then at least half of the headroom is left when it is noticed.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/trend.hpp"

namespace berth::eviction {

struct SamplingLimits {
  Nanoseconds shortest = std::chrono::milliseconds(150);  // systemd-oomd's poll of swap
  Nanoseconds beyond = std::chrono::seconds(1);  // while a limit is passed: nothing to be early for
  Nanoseconds longest = std::chrono::seconds(10);  // the kubelet's interval
};

struct SamplingDecision {
  Nanoseconds interval{};
  std::optional<Threshold> decided_by{};  // absent when no threshold asks for an earlier look

  bool operator==(const SamplingDecision&) const = default;
};

// `fastest`: how fast each signal can approach its limits on this machine, units in a second: what
// was measured at start, or seen since (fastest_approach), whichever is more. A signal without a
// rate asks for nothing.
[[nodiscard]] SamplingDecision sampling_interval(const std::vector<JudgedThreshold>& thresholds,
                                                 const Rates& fastest,
                                                 const SamplingLimits& limits = {});

}  // namespace berth::eviction
