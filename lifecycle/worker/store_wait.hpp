// SPDX-License-Identifier: Apache-2.0

// Whether a stop proceeds before it is stored.
//
// A stop waits for its commit a second at most, deducted from its grace period: a hung or full disk
// keeps no container running. If berthd dies before the commit, a preStop hook may run once more.
// Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

inline constexpr Nanoseconds kStopWaitsForStore = std::chrono::seconds(1);

// The question after a stop has waited.
struct StoreWaitQuestion {
  RefOrValue<api::Pod> pod{};  // the pod in question; decides nothing
  Nanoseconds limit{};         // the longest wait; likewise
  bool under_way = false;      // the store has not answered
  std::string error{};         // its last answer; empty if the commit succeeded
};

enum class StoreWait : std::uint8_t { kStored, kGivenUp };

struct StoreWaitDecision {
  StoreWait outcome = StoreWait::kStored;

  bool operator==(const StoreWaitDecision&) const = default;
};

[[nodiscard]] StoreWaitDecision decide_store_wait(const StoreWaitQuestion& question);

// Why, as a clause.
[[nodiscard]] Reason store_wait_reason(const StoreWaitQuestion& question,
                                       const StoreWaitDecision& decision);

}  // namespace berth::lifecycle
