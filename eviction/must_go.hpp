// SPDX-License-Identifier: Apache-2.0

// The pods that would have to be evicted, one after the other, until a signal's threshold is
// resolved: a forecast from what the pods use now. Pure.
#pragma once

#include <optional>
#include <vector>

#include "eviction/pressure.hpp"
#include "eviction/ranking.hpp"

namespace berth::eviction {

// How much has to become free until the threshold is resolved, including its minimum reclaim; zero
// or less means nothing. Unset for stalls, which no freed amount is sure to end, and for a signal
// that was not measured.
[[nodiscard]] std::optional<double> missing(const JudgedThreshold& judged);

// The non-exempt pods in ranking order: the first, and more until their measured use covers what is
// missing for `due`, which are thresholds of the signal that the pods were ranked for. All of them
// if what is missing is unknown or exceeds their use.
[[nodiscard]] std::vector<PodReference> must_go(const std::vector<JudgedThreshold>& due,
                                                const std::vector<RankedPod>& ranking);

}  // namespace berth::eviction
