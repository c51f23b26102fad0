// SPDX-License-Identifier: Apache-2.0

// NodeResourcesFit and NodeResourcesBalancedAllocation: scores a node by the resources that would
// be left on it. Pure; 0 to 100.
#pragma once

#include <cstdint>

#include "scheduling/cluster/node_info.hpp"
#include "scheduling/cycle/profile.hpp"

namespace berth::scheduling {

// `request`: that of the containers alone, with defaults (IncomingPod::scored_requests).
[[nodiscard]] std::int64_t fit_score(const ScoringStrategy& strategy,
                                     const ResourceAmounts& request, const NodeFacts& facts,
                                     const NodeUsage& usage);

// `request`: that of the whole pod.
[[nodiscard]] std::int64_t balanced_score(const std::vector<ResourceSpec>& resources,
                                          const ResourceAmounts& request, const NodeFacts& facts,
                                          const NodeUsage& usage);

// A pod that requests none of the resources gets no balance score.
[[nodiscard]] bool requests_any(const std::vector<ResourceSpec>& resources,
                                const ResourceAmounts& request);

}  // namespace berth::scheduling
