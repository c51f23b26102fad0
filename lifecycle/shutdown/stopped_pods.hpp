// SPDX-License-Identifier: Apache-2.0

// Pods that the machine's shutdown has stopped or refused, and which of them return.
//
// A manifest is standing desired state, and no controller but berth carries it out: once the
// machine is up again, or its shutdown was cancelled, a new incarnation follows. The pod's status
// decides, so that the decision survives a restart of berthd. Pure.
#pragma once

#include "api/pod.hpp"
#include "lifecycle/admission/refusal.hpp"

namespace berth::lifecycle {

// For pods that arrive while the node is shutting down, in the kubelet's words.
[[nodiscard]] Refusal refused_by_shutdown();

// Whether a new incarnation follows this pod, judged by its shown status. A stopped pod with
// restartPolicy Never has no successor: as after a power cut, it is Failed for good. Nor has a pod
// that finished before the shutdown, or that also ended for another reason.
[[nodiscard]] bool returns_after_shutdown(const api::Pod& pod);

}  // namespace berth::lifecycle
