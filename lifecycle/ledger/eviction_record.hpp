// SPDX-License-Identifier: Apache-2.0

// An eviction, described for people: the output of its ledger record, and what `berthctl evictions
// log` shows.
//
// A plain value. Amounts are formatted texts. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eviction/cycle.hpp"

namespace berth::lifecycle {

inline constexpr std::string_view kLedgerEviction = "eviction";

// A pod's place in the ranking.
struct RankedRecord {
  std::string pod{};  // "namespace/name"
  std::string uid{};
  std::string usage{};  // of what was short; empty if not measured
  std::string request{};
  std::int32_t priority = 0;
  std::string ahead_by{};  // the key that ranked it before the next pod; empty for the last
  std::string exempt{};    // why it could not be evicted; empty if it could

  bool operator==(const RankedRecord&) const = default;
};

struct EvictionRecord {
  std::string sentence{};   // what was short, by how much, and why this pod
  std::string signal{};     // as metrics name it: memory.available, emptydirfs.limit …
  std::string threshold{};  // "memory.available<100Mi"; for a limit, what it applies to
  std::string observed{};
  std::string limit{};
  std::int64_t reading_age_ms = 0;
  std::int64_t grace_seconds = 0;
  std::string message{};
  std::vector<std::string> due{};        // thresholds, the most urgent first
  std::vector<std::string> reclaimed{};  // what the node had reclaimed before
  std::vector<RankedRecord> ranking{};

  bool operator==(const EvictionRecord&) const = default;
};

// `eviction`: one of the decision's. `at`: when it was decided.
[[nodiscard]] EvictionRecord eviction_record(const eviction::CycleDecision& decision,
                                             const eviction::Eviction& eviction, WallTime at);

}  // namespace berth::lifecycle
