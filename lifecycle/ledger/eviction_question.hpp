// SPDX-License-Identifier: Apache-2.0

// What an eviction answers: who goes, of everybody who was there, by what was measured?
//
// Everything that a look of the eviction manager was decided from, and the pod that the record is
// about, one of the look's victims. Pure.
#pragma once

#include <optional>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "eviction/cycle.hpp"
#include "lifecycle/ledger/eviction_record.hpp"

namespace berth::lifecycle {

struct EvictionQuestion {
  api::Pod pod{};  // the victim
  WallTime at{};
  SteadyTime now{};
  eviction::EvictionConfig config{.rules = {.static_pods_are_critical = false}};
  eviction::EvictionState before{};
  eviction::Readings readings{};
  std::optional<eviction::FileSystemLayout> layout{};
  std::vector<api::Pod> pods{};  // that were active, the victim among them
  // What was measured after the node had given up what it could; absent: it had nothing to give up,
  // or nothing could be measured.
  std::optional<eviction::NodeReadings> after_reclaim{};
};

// What the look comes to for the victim. One who is not among its victims has no signal.
[[nodiscard]] EvictionRecord decide_eviction(const EvictionQuestion& question);

}  // namespace berth::lifecycle
