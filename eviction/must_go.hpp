// SPDX-License-Identifier: Apache-2.0

// Who would have to go, one after the other, until a signal is short no more: a forecast from what
// the pods use now. Pure.
#pragma once

#include <optional>
#include <vector>

#include "eviction/pressure.hpp"
#include "eviction/ranking.hpp"

namespace berth::eviction {

// How much has to become free until the threshold is resolved, its minimum reclaim included; zero
// or less: nothing. Unset for stalls, whose end no amount promises, and for what was not measured.
[[nodiscard]] std::optional<double> missing(const JudgedThreshold& judged);

// In the order of the ranking, without exempt pods: the first, and more until their measured use
// covers what `due`, thresholds of the signal that the pods were ranked for, miss. All that may go,
// if what is missing is unknown or more than they use.
[[nodiscard]] std::vector<PodReference> must_go(const std::vector<JudgedThreshold>& due,
                                                const std::vector<RankedPod>& ranking);

}  // namespace berth::eviction
