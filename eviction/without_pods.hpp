// SPDX-License-Identifier: Apache-2.0

// Estimates readings without some of the pods: their use becomes available.
//
// Pure, and a guess: another pod may take what one pod leaves. Stalls and swap stay as they are,
// since their cause is unknown.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "eviction/layout.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

[[nodiscard]] Readings without_pods(Readings readings, const std::vector<const api::Pod*>& gone,
                                    FileSystemLayout layout);

}  // namespace berth::eviction
