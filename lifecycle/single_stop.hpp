// SPDX-License-Identifier: Apache-2.0

// When to send the stop signal to a single container that is stopped while its pod keeps running.
//
// It waits for no other container, only for its preStop hook; the hook's duration is deducted from
// the grace period, as when the whole pod stops (termination_order.hpp). Steady time. Pure.
#pragma once

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/ref_or_value.hpp"
#include "lifecycle/pod_actions.hpp"
#include "lifecycle/termination_order.hpp"

namespace berth::lifecycle {

struct SingleStopQuestion {
  RefOrValue<api::Pod> pod{};
  ContainerKill kill{};      // which container, and why; decides nothing here
  StoppingContainer stop{};  // how far its stop has come
  SteadyTime now{};
};

[[nodiscard]] TerminationStep decide_single_stop(const SingleStopQuestion& question);

}  // namespace berth::lifecycle
