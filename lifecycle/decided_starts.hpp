// SPDX-License-Identifier: Apache-2.0

// Which containers a plan starts again whatever becomes of them until it does.
//
// What to start is decided before anything is stopped for it, as in the kubelet's pass: how a
// container ends on being stopped, for a probe, an edit or a sandbox that is replaced, takes
// nothing back. The worker keeps the ids until each has been started (runtime_pod.hpp, StartAgain).
// Pure; always succeeds.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/container_statuses.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/runtime_pod.hpp"

namespace berth::lifecycle {

// `runtime`: what the plan was made from.
[[nodiscard]] std::vector<cri::ContainerId> decided_starts(const api::Pod& pod,
                                                           const RuntimePod& runtime,
                                                           const Plan& plan);

// An instance that was created in the place of one that a plan starts again, and is not started
// yet, is to be started as that one was. Where the policy restarts nothing and its start has failed
// (`start_errors`), how that one ended decides, as in the kubelet.
void pass_on_decided_starts(const api::Pod& pod, RuntimePod& runtime,
                            const StartErrors& start_errors, const FeatureOptions& options);

}  // namespace berth::lifecycle
