// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/pod_disruption_budget.hpp. Included only by the codec's
// sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/pod_disruption_budget.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(PodDisruptionBudgetSpec, (),
                      (minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy))
BOOST_DESCRIBE_STRUCT(PodDisruptionBudgetStatus, (),
                      (observedGeneration, disruptedPods, disruptionsAllowed, currentHealthy,
                       desiredHealthy, expectedPods, conditions))
constexpr auto printed_when_empty(const PodDisruptionBudgetStatus*) {
  return std::to_array<std::string_view>(
      {"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"});
}
BOOST_DESCRIBE_STRUCT(PodDisruptionBudget, (), (kind, apiVersion, metadata, spec, status))

}  // namespace berth::api
