// matchLabelKeys and mismatchLabelKeys: for each listed key that a pod's own labels have, its
// value is added to the selector when the pod is created.
//
// Pure. Selectors that are absent stay absent (they match nothing); keys the pod does not have
// are passed over. A pod is merged once, before it is validated.
#pragma once

#include "api/pod.hpp"

namespace berth::api {

void merge_label_keys(Pod& pod);

// A new pod with scheduling gates says so in its conditions.
void mark_scheduling_gated(Pod& pod);

// Both: what the API server makes of a pod that is created. The kubelet's own files never see it.
void prepare_new_pod(Pod& pod);

}  // namespace berth::api
