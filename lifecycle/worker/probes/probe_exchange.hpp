// SPDX-License-Identifier: Apache-2.0

// What a pod's worker and the prober report to each other, as plain values.
//
// The worker reports what runs; the prober publishes results, which are input of decisions
// (probe_results.hpp). Pure.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "probes/probe_view.hpp"

namespace berth::lifecycle {

// Whether any probe of the pod ever runs; only regular containers and sidecars are probed.
[[nodiscard]] bool has_probes(const api::Pod& pod);

// The pod as the prober sees it. A container that neither runs nor has ended (created, or in
// unknown state) is left out: it would count as failed.
[[nodiscard]] probes::SeenPod seen_pod(const RuntimePod& runtime, const api::PodStatus& status,
                                       bool finished);

[[nodiscard]] ProbeResults published_results(const std::vector<probes::KeptResult>& held);

// The results from which probing of already running containers continues. `stored`: the results in
// the store. `adopted`: the store does not have the pod; whoever ran it is assumed to have found
// its containers started and ready.
[[nodiscard]] std::vector<probes::KeptResult> results_to_go_on_from(const api::Pod& pod,
                                                                    const RuntimePod& runtime,
                                                                    const ProbeResults& stored,
                                                                    bool adopted);

}  // namespace berth::lifecycle
