// SPDX-License-Identifier: Apache-2.0

// When a probe runs next.
//
// Pure. Probes of one container keep their period's grid, as a ticker does: missed runs are not
// made up for, except that one run immediately follows a run that took longer than the period.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/clock_types.hpp"
#include "probes/probe_state.hpp"

namespace berth::probes {

// The offset in the period at which a probe runs that exists when berthd starts: constant for each
// probe, and evenly spread over many.
[[nodiscard]] Nanoseconds phase_in_period(std::string_view pod_uid, std::string_view container,
                                          ProbeType type, Nanoseconds period);

// From when on failures count: readiness at once; liveness and startup one full period after the
// container started, or after its initial delay, so that failureThreshold full periods pass before
// it is killed. (The ticks of a kubelet's worker come at some time within the first period.)
// Liveness that waited for startup gets that period from `startup_passed_at`, which is unset if
// there is no startup probe, or if it passed before berthd started.
[[nodiscard]] SteadyTime failures_count_from(const ProbeRules& rules, Nanoseconds period,
                                             SteadyTime started_at,
                                             std::optional<SteadyTime> startup_passed_at);

[[nodiscard]] Weight weight_of(SteadyTime began, SteadyTime failures_count_from);

// The first run for a container that was running when berthd started (spread), or that starts now
// (at once); after its initial delay in any case. Liveness does not run before its failures count.
struct FirstRun {
  ProbeType type = ProbeType::kReadiness;
  SteadyTime now{};
  Nanoseconds delay_left{0};
  bool found_at_start = false;
  Nanoseconds phase{0};
  SteadyTime failures_count_from{};
};
[[nodiscard]] SteadyTime first_run(const FirstRun& from);

// After a run that was due at `due` and ended at `ended`.
[[nodiscard]] SteadyTime next_run(SteadyTime due, SteadyTime ended, Nanoseconds period);

// The first moment from `due` on at which the node's probes run: those with whole seconds share one
// grid, so that several share a wake-up, which costs more than a probe. The more `probes` there
// are, the denser the grid, so that the last probe at a point is not late. A finer grid contains
// all points of a coarser one: a probe is delayed once, and keeps its period exactly after that.
[[nodiscard]] SteadyTime in_step(SteadyTime due, Nanoseconds period, std::size_t probes);

}  // namespace berth::probes
