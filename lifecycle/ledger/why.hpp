// SPDX-License-Identifier: Apache-2.0

// Explains a pod from its ledger records: its present state, what happened and why, what comes next
// and when. Plain sentences for `berthctl why`.
//
// Repeated sentences are folded into the last one, with a count. Times inside sentences are UTC,
// without the date if it is today's. A record that this version cannot read is represented by its
// reasons. Pure; each record's JSON is parsed, so a long story takes too long for the loop thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/ledger/ledger.hpp"
#include "lifecycle/obstacles.hpp"

namespace berth::lifecycle {

// The reason of a state that follows from an order to end the pod.
inline constexpr std::string_view kEndOrdered = "the pod is to be removed";

struct WhyInput {
  const std::vector<LedgerRecord>& records;  // of one pod's name, oldest first
  const api::Pod* pod = nullptr;             // as it is now; null if it no longer exists
  std::string refused_today{};               // why it would not be admitted now; empty if it would
  WallTime now{};
  std::vector<HeldPod> held{};  // this pod's external obstacles
  RuntimeSocket socket{};
  bool recreates_evicted = false;  // a new pod follows an evicted one when the pressure is over
};

struct WhyLine {
  WallTime at{};            // of the last occurrence
  std::string container{};  // empty for the pod as a whole
  std::string text{};
  std::size_t times = 1;
  WallTime first_at{};
};

struct Why {
  std::string present{};              // a sentence, and another if admission would refuse it today
  std::vector<WhyLine> happened{};    // oldest first
  std::vector<std::string> coming{};  // what comes next, soonest first; never empty
};

[[nodiscard]] Why why(const WhyInput& input);

}  // namespace berth::lifecycle
