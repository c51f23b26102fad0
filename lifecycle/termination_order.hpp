// SPDX-License-Identifier: Apache-2.0

// In which order the containers of an ending pod get their stop signal.
//
// Regular containers are stopped at once; a sidecar waits until every regular container and the
// sidecar after it in the spec have ended, but never longer than its grace period. As in the
// kubelet, a sidecar that ended early breaks that chain. preStop hooks do not wait; their duration
// and the waiting are deducted from the grace period. next_stops() is called after every change and
// returns which containers get the signal now and when to look again. Steady time. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/reasons.hpp"

namespace berth::lifecycle {

struct TerminationOrder {
  bool ordered = false;  // false if all are stopped at once
  // For each running container, the still running ones it waits for.
  std::map<std::string, std::set<std::string>> waits_for{};

  bool operator==(const TerminationOrder&) const = default;
};

[[nodiscard]] TerminationOrder termination_order(const api::Pod& pod,
                                                 const std::vector<std::string>& running);

// How far the stop of one running container of an ending pod has come.
struct StoppingContainer {
  std::string name{};
  std::int64_t grace_seconds = 0;  // effective (grace_period.hpp)
  SteadyTime begun_at{};           // when its stop began; its preStop hook starts then
  // When its preStop hook returned or was given up; equal to begun_at if it has none. Unset while
  // the hook still runs.
  std::optional<SteadyTime> hook_done_at{};
  bool signalled = false;  // StopContainer was called
};

// The rule by which a container that no longer waits for anything is stopped.
inline constexpr std::string_view kStopRule = "Stop";

struct StopNow {
  std::string name{};
  std::int64_t timeout_seconds = 0;  // for StopContainer

  bool operator==(const StopNow&) const = default;
};

struct TerminationStep {
  std::vector<StopNow> stop_now{};
  std::vector<std::string> give_up_hook{};    // whose hook has used up the whole period
  std::optional<SteadyTime> look_again_at{};  // unset if nothing changes by time alone
  Reasons reasons{};
};

// Adds a container. Of two instances of one name (an older one whose end is not known yet, and its
// successor), the one that has not been signalled yet represents both.
void add_running(std::vector<StoppingContainer>& containers, StoppingContainer one);

// `containers`: those still running, each name once. Leaving out those that have ended is what lets
// others proceed.
[[nodiscard]] TerminationStep next_stops(const api::Pod& pod,
                                         const std::vector<StoppingContainer>& containers,
                                         SteadyTime now);

// The arguments of next_stops as one value.
struct StopsQuestion {
  RefOrValue<api::Pod> pod{};
  RefOrValue<std::vector<StoppingContainer>> containers{};
  SteadyTime now{};
};
[[nodiscard]] TerminationStep decide_stops(const StopsQuestion& question);

}  // namespace berth::lifecycle
