// Readings as they might have been without some of the pods: what these used is available.
//
// Pure, and a guess: what one pod leaves, another may take. Stalls stay as they are, since nobody
// knows who caused them, and so does swap.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "eviction/layout.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

[[nodiscard]] Readings without_pods(Readings readings, const std::vector<const api::Pod*>& gone,
                                    FileSystemLayout layout);

}  // namespace berth::eviction
