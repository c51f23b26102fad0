// SPDX-License-Identifier: Apache-2.0

// Conditions of a pod that somebody other than the node writes, such as those that a controller
// sets to satisfy a readiness gate. They are kept with the pod and shown with its own conditions
// (pod_status.hpp).
//
// Refusals are kInvalid, with a message for people that begins with the field. Pure.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::lifecycle {

// Whether anybody but the node may set the condition: its type must be a qualified name that the
// node does not own, and its status one of the three.
[[nodiscard]] Result<bool> may_set_condition(const api::PodCondition& condition);

// Adds the condition, or replaces the one of its type. lastTransitionTime is kept as long as the
// status does not change.
void put_condition(std::vector<api::PodCondition>& conditions, api::PodCondition condition,
                   WallTime now);

}  // namespace berth::lifecycle
