// SPDX-License-Identifier: Apache-2.0

// The eviction configuration of a run: hard and soft thresholds on memory, the limit of all pods,
// disk, inodes and processes, with grace periods and minimum reclaims; a transition period, and
// whether evicted pods come back.
#pragma once

#include "tests/simulation/pressure/simulated_resources.hpp"
#include "tests/simulation/random.hpp"

namespace berth::simulation {

[[nodiscard]] ResourcesSetup random_resources(std::uint64_t seed);

}  // namespace berth::simulation
