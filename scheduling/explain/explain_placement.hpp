// SPDX-License-Identifier: Apache-2.0

// Explains one scheduling decision: makes it as every decision is made (cycle/scheduler), over all
// nodes, and reports the result with its reasons.
//
// Pure.
#pragma once

#include "scheduling/cycle/profile.hpp"
#include "scheduling/explain/placement_explanation.hpp"
#include "scheduling/explain/stated_cluster.hpp"

namespace berth::scheduling {

// `pod`: as the API server would have accepted it.
[[nodiscard]] PlacementExplanation explain_placement(const api::Pod& pod,
                                                     const StatedCluster& objects,
                                                     const Profile& profile);

}  // namespace berth::scheduling
