// SPDX-License-Identifier: Apache-2.0

// Turns a computed status into the one that is stored and published.
//
// stamp_status adds what depends on the previous status (transition times, start time, observed
// generations) and brings the status into its published form. shown_status holds a terminal phase
// back until no container runs. illegal_transition finds what must never be published. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "lifecycle/options.hpp"

namespace berth::lifecycle {

// `previous`: the last stamped status, or an empty one. A transition time is kept as long as its
// condition's status is (for the resize conditions: its reason); startTime is set once and kept;
// the generation never decreases. Times lose their fraction; long termination messages are
// truncated.
[[nodiscard]] api::PodStatus stamp_status(const api::Pod& pod, const api::PodStatus& previous,
                                          api::PodStatus computed, WallTime now);

// The status that may be published. While containers may run, a terminal phase is held back: phase,
// reason and message stay those of `shown_before`, and DisruptionTarget is left out. Once shown, a
// terminal phase is never combined with Ready or ContainersReady True. `now` is the time of those
// changes.
[[nodiscard]] api::PodStatus shown_status(const api::Pod& pod, const api::PodStatus& shown_before,
                                          const api::PodStatus& stamped, bool containers_may_run,
                                          WallTime now);

// The status that an earlier berthd had published when it stored `kept` while containers might
// still run: `kept` without the terminal phase, its reason and message, and the kubelet's
// DisruptionTarget.
[[nodiscard]] api::PodStatus shown_while_running(api::PodStatus kept);

// Once the condition DisruptionTarget has been published, it keeps its published time.
void keep_disruption_time(const api::PodStatus& shown, api::PodStatus& stamped);

// Finds a container that leaves the terminated state although neither the pod's restart policy nor
// its own allows it. `starting_again`: containers that a plan starts again (runtime_pod.hpp).
// Returns a sentence for the log; such a status is discarded as a whole.
[[nodiscard]] std::optional<std::string> illegal_transition(
    const api::Pod& pod, const api::PodStatus& previous, const api::PodStatus& next,
    const FeatureOptions& options = {}, const std::set<std::string>& starting_again = {});

// Whether a watcher would see a difference (transition times and generations do not count).
[[nodiscard]] bool same_status(const api::PodStatus& a, const api::PodStatus& b);

}  // namespace berth::lifecycle
