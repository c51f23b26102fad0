// SPDX-License-Identifier: Apache-2.0

// The question that an eviction answers: which of the active pods to evict, given the readings.
//
// All inputs of one cycle of the eviction manager, and the pod that the record is about, one of the
// cycle's victims. Pure.
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
  std::vector<api::Pod> pods{};  // the active pods, including the victim
  // The readings after the node had reclaimed what it could; unset if there was nothing to reclaim,
  // or nothing could be measured.
  std::optional<eviction::NodeReadings> after_reclaim{};
};

// The cycle's decision on the pod. Has no signal if the pod is not among the victims.
[[nodiscard]] EvictionRecord decide_eviction(const EvictionQuestion& question);

}  // namespace berth::lifecycle
