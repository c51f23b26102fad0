// An eviction as a decision of the ledger: everything a look of the eviction manager was decided
// from, and which of its victims the record is about.
//
// Taken again, the look comes to the same decision. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "eviction/cycle.hpp"
#include "lifecycle/ledger/ledger.hpp"

namespace berth::lifecycle {

inline constexpr std::string_view kLedgerEviction = "eviction";

struct EvictionQuestion {
  WallTime at{};
  SteadyTime now{};
  eviction::EvictionConfig config{.rules = {.static_pods_are_critical = false}};
  eviction::EvictionState before{};
  eviction::Readings readings{};
  std::optional<eviction::FileSystemLayout> layout{};
  std::vector<api::Pod> pods{};  // ranked_part of each that was active
  // What was measured after the node had given up what it could; absent: it had nothing to give up,
  // or nothing could be measured.
  std::optional<eviction::NodeReadings> after_reclaim{};
  std::string victim{};  // uid
};

// Of a pod, what evictions are decided by: a record of a hundred pods is not to fill the store.
[[nodiscard]] api::Pod ranked_part(const api::Pod& pod);

[[nodiscard]] eviction::CycleDecision decide(const EvictionQuestion& question);

// kInvalid: the look evicts nobody of that uid.
[[nodiscard]] Result<LedgerRecord> eviction_record_of(const EvictionQuestion& question);
// The record made anew from its input alone.
[[nodiscard]] Result<LedgerRecord> retake_eviction(const LedgerRecord& record);

}  // namespace berth::lifecycle
