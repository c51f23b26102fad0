// SPDX-License-Identifier: Apache-2.0

// From a computed status to the one that is kept and shown.
//
// stamp_status adds what depends on the status before: transition times, start time, observed
// generations, and brings it into the form it is published in. shown_status holds a terminal phase
// back until no container runs. illegal_transition finds what must never be published. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/options.hpp"

namespace berth::lifecycle {

// `previous`: the last stamped status, or an empty one. Transition times stay where a condition's
// status stays (for the resize conditions: its reason); startTime is set once and kept; the
// generation never falls. Times lose their fraction, long termination messages their end.
[[nodiscard]] api::PodStatus stamp_status(const api::Pod& pod, const api::PodStatus& previous,
                                          api::PodStatus computed, WallTime now);

// What others may see of it. While containers may run, a terminal phase is held back: phase,
// reason and message stay those of `shown_before`, and DisruptionTarget is left out. Once shown,
// a terminal phase never goes with Ready or ContainersReady True. `now` is the time of those
// changes.
[[nodiscard]] api::PodStatus shown_status(const api::Pod& pod, const api::PodStatus& shown_before,
                                          const api::PodStatus& stamped, bool containers_may_run,
                                          WallTime now);

// What an earlier berthd had published of a status that it stored while containers might still run:
// not the terminal phase, nor its reason, its message and the kubelet's DisruptionTarget.
[[nodiscard]] api::PodStatus shown_while_running(api::PodStatus kept);

// Once the condition DisruptionTarget is shown it is kept with the time that is shown.
void keep_disruption_time(const api::PodStatus& shown, api::PodStatus& stamped);

// What a container must not do by the pod's restart policy and its own: leave the terminated
// state. `starting_again`: those of which a plan has said so (runtime_pod.hpp). A sentence for the
// log; such a status is dropped whole.
[[nodiscard]] std::optional<std::string> illegal_transition(
    const api::Pod& pod, const api::PodStatus& previous, const api::PodStatus& next,
    const FeatureOptions& options = {}, const std::set<std::string>& starting_again = {});

// Whether a watcher would see a difference (transition times and generations do not count).
[[nodiscard]] bool same_status(const api::PodStatus& a, const api::PodStatus& b);

}  // namespace berth::lifecycle
