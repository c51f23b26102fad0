// SPDX-License-Identifier: Apache-2.0

// Whether a stop goes on before the store knows of it.
//
// It waits for its commit a second at most, out of its grace period: a disk that hangs or is full
// keeps nobody running. Should berthd die before the store knows, a preStop hook may run once more.
// Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

// After a stop has waited.
struct StoreWaitQuestion {
  RefOrValue<api::Pod> pod{};  // whose it is; decides nothing
  Nanoseconds limit{};         // as long as it waits at most; likewise
  bool under_way = false;      // the store has not answered
  std::string error{};         // its last answer; empty: it has what it was given
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
