// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/invariants/disturbances.hpp"

#include <algorithm>

namespace berth::simulation {

bool Disturbances::wall_jumped_within(SteadyTime from, SteadyTime until) const {
  return std::ranges::any_of(jumps_, [&](SteadyTime at) { return from <= at && at <= until; });
}

bool Disturbances::none_since(SteadyTime time) const {
  const bool quiet = quiet_ || (faults_stopped_ && *faults_stopped_ + kTroubleLasts <= time);
  if (!quiet || wall_jumped_since(time)) return false;
  return !last_trouble_ || *last_trouble_ + kTroubleLasts <= time;
}

}  // namespace berth::simulation
