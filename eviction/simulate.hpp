// SPDX-License-Identifier: Apache-2.0

// What other thresholds would have done: the eviction decisions replayed over a history.
//
// Pure. Up to the first deviation from what really happened, the result is what would have
// happened. From then on it is a guess, and marked as one: a pod that was evicted only in the
// replay is removed from all later samples, and its use counted as available again, but the other
// pods' reaction to that is unknown. A reclaim on the node that happened only in the replay is
// assumed to have gained nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eviction/cycle.hpp"
#include "eviction/history.hpp"

namespace berth::eviction {

enum class Certainty : std::uint8_t {
  kAsMeasured,     // from samples as measured; no deviation so far
  kMergedSamples,  // from merged samples: the worst of a span, as if it held throughout
  kAfterDeviation  // after an eviction or reclaim that happened only here, or only in reality
};
[[nodiscard]] std::string_view to_string(Certainty certainty);

enum class SimulatedKind : std::uint8_t {
  kConditionAppeared,
  kConditionCleared,
  kThresholdMet,       // its grace period begins
  kThresholdResolved,  // including its minimum reclaim, if it was due
  kReclaim,            // the node reclaims what it can
  kEviction,
  kNobodyEvictable,  // a threshold is due, and every pod is exempt; once until that changes
};
[[nodiscard]] std::string_view to_string(SimulatedKind kind);

struct SimulatedVictim {
  PodReference pod{};
  std::string message{};
  std::int64_t grace_period_override = 0;       // seconds
  std::optional<RankingKey> ahead_by{};         // key that ranks it before the next one; unset for
                                                // limits
  std::vector<std::string> exempt_before_it{};  // uids of exempt pods ranked before it

  bool operator==(const SimulatedVictim&) const = default;
};

struct SimulatedEvent {
  WallTime at{};
  SimulatedKind kind{};
  Certainty certainty = Certainty::kAsMeasured;
  bool merged = false;                // from a merged sample: at that time, or earlier
  std::optional<Nanoseconds> span{};  // how much earlier at most; unset if unknown
  std::optional<PressureCondition> condition{};
  std::optional<JudgedThreshold> threshold{};  // for thresholds, reclaims and evictions by pressure
  std::optional<SimulatedVictim> victim{};

  bool operator==(const SimulatedEvent&) const = default;
};

struct Simulation {
  std::vector<SimulatedEvent> events{};  // oldest first
  std::size_t samples = 0;
  std::optional<WallTime> from{};
  std::optional<WallTime> until{};
};

[[nodiscard]] Simulation simulate(const History& history, const EvictionConfig& config,
                                  FileSystemLayout layout);

}  // namespace berth::eviction
