// SPDX-License-Identifier: Apache-2.0

// matchLabelKeys and mismatchLabelKeys: for each listed key that the pod's own labels contain, adds
// the label's value to the selector when the pod is created.
//
// Pure. Absent selectors stay absent (they match nothing); keys that the pod does not have are
// skipped. A pod is merged once, before it is validated.
#pragma once

#include "api/pod.hpp"

namespace berth::api {

void merge_label_keys(Pod& pod);

// Sets the condition that marks a new pod with scheduling gates.
void mark_scheduling_gated(Pod& pod);

// Does both, as the API server does when a pod is created. The kubelet does neither for manifest
// files.
void prepare_new_pod(Pod& pod);

}  // namespace berth::api
