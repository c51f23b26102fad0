// SPDX-License-Identifier: Apache-2.0

// One run of a short life, in which berthd is killed between two handlers, once or twice.
//
// The same life and the same cuts give the same run. A killed berthd is started again a moment
// later; when the life is over, everything has time to settle and all must be as it should.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/simulation/short_life.hpp"
#include "tests/simulation/world.hpp"

namespace berth::simulation {

// berthd is killed after so many handlers of one of its lives; what it is writing is kept or lost.
struct Cut {
  std::uint64_t after = 0;
  bool written = false;
};

struct LifeOutcome {
  Outcome outcome{};
  std::uint64_t handlers = 0;  // of the last berthd, until the life was over
  bool writing = false;        // at the last cut, so keeping or losing it made a difference
};

[[nodiscard]] LifeOutcome run_life(const ShortLife& life, const std::vector<Cut>& cuts,
                                   Trace::Sink sink = {});

}  // namespace berth::simulation
