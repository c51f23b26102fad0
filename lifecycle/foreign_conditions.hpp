// SPDX-License-Identifier: Apache-2.0

// Conditions of a pod that somebody else writes: what a controller would set so that a readiness
// gate holds. They are kept with the pod and shown with its own conditions (pod_status.hpp).
//
// Refusals are kInvalid in words for the person, the field first. Pure.
#pragma once

#include <vector>

#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::lifecycle {

// Whether anybody but the node may set it: a qualified name, no type that the node owns, and one
// of the three statuses.
[[nodiscard]] Result<bool> may_set_condition(const api::PodCondition& condition);

// Adds it, or replaces the one of its type. The time of the last transition stays as long as the
// status does.
void put_condition(std::vector<api::PodCondition>& conditions, api::PodCondition condition,
                   WallTime now);

}  // namespace berth::lifecycle
