// SPDX-License-Identifier: Apache-2.0

#include "scheduling/predicates/taints.hpp"

#include <algorithm>

namespace berth::scheduling {

bool tolerates(const std::vector<api::Toleration>& tolerations, const api::Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const api::Toleration& one) { return tolerates(one, taint); });
}

const api::Taint* first_untolerated(const std::vector<api::Taint>& taints,
                                    const std::vector<api::Toleration>& tolerations,
                                    std::initializer_list<std::string_view> effects) {
  for (const api::Taint& taint : taints) {
    const bool meant = std::find(effects.begin(), effects.end(), taint.effect) != effects.end();
    if (meant && !tolerates(tolerations, taint)) return &taint;
  }
  return nullptr;
}

const api::Taint* first_forbidding_taint(const std::vector<api::Taint>& taints,
                                         const std::vector<api::Toleration>& tolerations) {
  return first_untolerated(taints, tolerations, {"NoSchedule", "NoExecute"});
}

std::int64_t count_intolerable_preferences(const std::vector<api::Taint>& taints,
                                           const std::vector<api::Toleration>& tolerations) {
  return std::count_if(taints.begin(), taints.end(), [&](const api::Taint& taint) {
    return taint.effect == "PreferNoSchedule" && !tolerates(tolerations, taint);
  });
}

bool tolerates_unschedulable(const std::vector<api::Toleration>& tolerations) {
  return tolerates(tolerations,
                   {.key = "node.kubernetes.io/unschedulable", .effect = "NoSchedule"});
}

}  // namespace berth::scheduling
