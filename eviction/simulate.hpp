// What other thresholds would have done: the decisions of eviction taken again over a history.
//
// Pure. Until the first thing that would have been done otherwise than it was, what comes out is
// what would have happened. From then on it is a guess, and marked as one: a pod that was not
// evicted in truth is taken out of all later samples, and what it used is counted as available
// again, but nobody knows what the others would have done with it. A reclaim on the node that did
// not happen in truth is taken to have gained nothing.
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
  kAsMeasured,     // from samples as measured; nothing was done otherwise than in truth
  kMergedSamples,  // from samples that were merged: the worst of a while, as if all of it
  kAfterDeviation  // after an eviction or a reclaim that happened only here, or only in truth
};
[[nodiscard]] std::string_view to_string(Certainty certainty);

enum class SimulatedKind : std::uint8_t {
  kConditionAppeared,
  kConditionCleared,
  kThresholdMet,       // its grace period begins
  kThresholdResolved,  // and its minimum reclaim, if it was due
  kReclaim,            // the node gives up what it can
  kEviction,
  kNobodyEvictable,  // a threshold is due, and every pod is exempt; once until that changes
};
[[nodiscard]] std::string_view to_string(SimulatedKind kind);

struct SimulatedVictim {
  PodReference pod{};
  std::string message{};
  std::int64_t grace_period_override = 0;       // seconds
  std::optional<RankingKey> ahead_by{};         // what put it before the next; none of limits
  std::vector<std::string> exempt_before_it{};  // uids of those that stood before it

  bool operator==(const SimulatedVictim&) const = default;
};

struct SimulatedEvent {
  WallTime at{};
  SimulatedKind kind{};
  Certainty certainty = Certainty::kAsMeasured;
  std::optional<PressureCondition> condition{};
  std::optional<JudgedThreshold> threshold{};  // of thresholds, reclaims and evictions by pressure
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
