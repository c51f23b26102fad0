// When a probe runs next.
//
// Pure. Probes of one container keep their period's grid, as a ticker does: what is missed is not
// made up for, except that one run follows at once on a run that took longer than the period.
#pragma once

#include <string_view>

#include "base/clock_types.hpp"
#include "probes/probe_state.hpp"

namespace berth::probes {

// Where in its period a probe runs that is there at a start of berthd: always at the same place,
// and evenly spread over many probes.
[[nodiscard]] Nanoseconds phase_in_period(std::string_view pod_uid, std::string_view container,
                                          ProbeType type, Nanoseconds period);

// The first run of a container that was found running when berthd started (spread), or that
// starts now (at once); after its initial delay in any case.
struct FirstRun {
  SteadyTime now{};
  Nanoseconds delay_left{0};
  bool found_at_start = false;
  Nanoseconds phase{0};
};
[[nodiscard]] SteadyTime first_run(const FirstRun& from);

// After a run that was due at `due` and came to its end at `ended`.
[[nodiscard]] SteadyTime next_run(SteadyTime due, SteadyTime ended, Nanoseconds period);

}  // namespace berth::probes
