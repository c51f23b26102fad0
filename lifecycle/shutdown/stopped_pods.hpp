// SPDX-License-Identifier: Apache-2.0

// Pods that the machine's end has stopped or kept away, and which of them come back.
//
// A manifest is a standing wish, and there is no controller to carry it out but us: once the
// machine is up again, or its end was called off, a new incarnation follows. What a pod has in its
// status decides, so that it is the same over a restart of berthd. Pure.
#pragma once

#include "api/pod.hpp"
#include "lifecycle/admission/refusal.hpp"

namespace berth::lifecycle {

// For pods that come while the node is shutting down; the kubelet's words.
[[nodiscard]] Refusal refused_by_shutdown();

// Whether a new incarnation follows this pod, as it is shown. Not one that was stopped and is never
// to be restarted (restartPolicy Never): as after a power cut, it is Failed for good. Nor one that
// had finished before, or ended for another reason as well.
[[nodiscard]] bool returns_after_shutdown(const api::Pod& pod);

}  // namespace berth::lifecycle
