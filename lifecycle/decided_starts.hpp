// SPDX-License-Identifier: Apache-2.0

// Which containers a plan starts again, however they end before that start.
//
// As in the kubelet's pass, the starts are decided before anything is stopped for them: how a
// container ends when it is stopped for a probe, an edit or a sandbox replacement does not revoke
// the decision. The worker keeps the ids until each container has been started (runtime_pod.hpp,
// StartAgain). Pure; always succeeds.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "cri/types.hpp"
#include "lifecycle/options.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/runtime_pod.hpp"
#include "lifecycle/status/container_statuses.hpp"

namespace berth::lifecycle {

// `runtime`: the state from which the plan was made.
[[nodiscard]] std::vector<cri::ContainerId> decided_starts(const api::Pod& pod,
                                                           const RuntimePod& runtime,
                                                           const Plan& plan);

// A decided start passes on to an instance that was created to replace the container and has not
// been started yet. If the policy restarts nothing and the replacement's start has failed
// (`start_errors`), the exit of the replaced instance decides, as in the kubelet.
void pass_on_decided_starts(const api::Pod& pod, RuntimePod& runtime,
                            const StartErrors& start_errors, const FeatureOptions& options);

}  // namespace berth::lifecycle
