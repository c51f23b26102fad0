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

// The first taint with one of these effects that none of the tolerations takes; null if none.
// Points into `taints`.
[[nodiscard]] const api::Taint* first_untolerated(const std::vector<api::Taint>& taints,
                                                  const std::vector<api::Toleration>& tolerations,
                                                  std::initializer_list<std::string_view> effects);

// The first that keeps a pod from being placed: effect NoSchedule or NoExecute.
[[nodiscard]] const api::Taint* first_forbidding_taint(
    const std::vector<api::Taint>& taints, const std::vector<api::Toleration>& tolerations);

// How many of effect PreferNoSchedule are not tolerated.
[[nodiscard]] std::int64_t count_intolerable_preferences(
    const std::vector<api::Taint>& taints, const std::vector<api::Toleration>& tolerations);

// Whether a node with spec.unschedulable is open to a pod, be the taint on it or not.
[[nodiscard]] bool tolerates_unschedulable(const std::vector<api::Toleration>& tolerations);

}  // namespace berth::scheduling
