// NodeResourcesFit and NodeResourcesBalancedAllocation: how much a node is liked for what would be
// left on it. Pure; scores are 0 to 100.
#pragma once

#include <cstdint>

#include "scheduling/cluster/node_info.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

// `request`: of the containers alone, with defaults (IncomingPod::scored_requests).
[[nodiscard]] std::int64_t fit_score(const ScoringStrategy& strategy,
                                     const ResourceAmounts& request, const NodeFacts& facts,
                                     const NodeUsage& usage);

// `request`: of the pod as a whole.
[[nodiscard]] std::int64_t balanced_score(const std::vector<ResourceSpec>& resources,
                                          const ResourceAmounts& request, const NodeFacts& facts,
                                          const NodeUsage& usage);

// A pod that requests none of the resources is not scored for balance.
[[nodiscard]] bool requests_any(const std::vector<ResourceSpec>& resources,
                                const ResourceAmounts& request);

}  // namespace berth::scheduling
