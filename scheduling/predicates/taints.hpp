// SPDX-License-Identifier: Apache-2.0

// Taints of nodes and tolerations of pods.
//
// Pure.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "api/affinity.hpp"
#include "api/tolerations.hpp"

namespace berth::scheduling {

using api::tolerates;
[[nodiscard]] bool tolerates(const std::vector<api::Toleration>& tolerations,
                             const api::Taint& taint);

// The first taint with one of these effects that no toleration matches; null if there is none.
// Points into `taints`.
[[nodiscard]] const api::Taint* first_untolerated(const std::vector<api::Taint>& taints,
                                                  const std::vector<api::Toleration>& tolerations,
                                                  std::initializer_list<std::string_view> effects);

// The first taint that forbids placement: effect NoSchedule or NoExecute.
[[nodiscard]] const api::Taint* first_forbidding_taint(
    const std::vector<api::Taint>& taints, const std::vector<api::Toleration>& tolerations);

// The number of untolerated taints with effect PreferNoSchedule.
[[nodiscard]] std::int64_t count_intolerable_preferences(
    const std::vector<api::Taint>& taints, const std::vector<api::Toleration>& tolerations);

// Whether the pod may be placed on a node with spec.unschedulable, even if the node lacks the
// taint.
[[nodiscard]] bool tolerates_unschedulable(const std::vector<api::Toleration>& tolerations);

}  // namespace berth::scheduling
