// SPDX-License-Identifier: Apache-2.0

// What a pod's worker and the prober tell each other, as plain values.
//
// The worker tells what runs; the prober has published results, which decisions take in
// (probe_results.hpp). Pure.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "lifecycle/probe_results.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "probes/probe_view.hpp"

namespace berth::lifecycle {

// Whether anything of the pod is ever probed: regular containers and sidecars are.
[[nodiscard]] bool has_probes(const api::Pod& pod);

// A container that does not run and has not ended (created, or in a state that the runtime does
// not know) is not there yet: it would count as failed.
[[nodiscard]] probes::SeenPod seen_pod(const RuntimePod& runtime, const api::PodStatus& status,
                                       bool finished);

[[nodiscard]] ProbeResults published_results(const std::vector<probes::KeptResult>& held);

// What probing of containers that run already goes on from. `stored`: what the store had of them.
// `adopted`: the store knows nothing of the pod, so whoever ran it is believed to have found it
// started and ready.
[[nodiscard]] std::vector<probes::KeptResult> results_to_go_on_from(const api::Pod& pod,
                                                                    const RuntimePod& runtime,
                                                                    const ProbeResults& stored,
                                                                    bool adopted);

}  // namespace berth::lifecycle
