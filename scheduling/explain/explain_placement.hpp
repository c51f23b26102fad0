// Explains one scheduling decision: decides it as every decision is (cycle/scheduler), over all
// nodes, and tells what came of it and why.
//
// Pure.
#pragma once

#include "scheduling/cycle/profile.hpp"
#include "scheduling/explain/placement_explanation.hpp"
#include "scheduling/explain/stated_cluster.hpp"

namespace berth::scheduling {

// `pod`: as the API server would have taken it.
[[nodiscard]] PlacementExplanation explain_placement(const api::Pod& pod,
                                                     const StatedCluster& objects,
                                                     const Profile& profile);

}  // namespace berth::scheduling
