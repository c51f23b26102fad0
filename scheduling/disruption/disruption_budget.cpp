// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/disruption_budget.hpp"

#include <algorithm>
#include <utility>

#include "scheduling/predicates/label_selector.hpp"

namespace berth::scheduling {

bool protects(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
  if (budget.metadata.namespace_ != pod.metadata.namespace_) return false;
  const auto selector = LabelSelector::compile(budget.spec.selector);
  return selector && selector->matches(pod.metadata.labels);
}

bool is_ready(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const api::PodCondition& condition) {
    return condition.type == "Ready" && condition.status == "True";
  });
}

void set_condition(api::PodDisruptionBudgetStatus& status, api::Condition condition,
                   api::WallTime now) {
  const auto present = std::ranges::find(status.conditions, condition.type, &api::Condition::type);
  const bool stays = present != status.conditions.end() && present->status == condition.status;
  condition.lastTransitionTime = stays ? present->lastTransitionTime : api::Time{now};
  if (present == status.conditions.end()) {
    status.conditions.push_back(std::move(condition));
  } else {
    *present = std::move(condition);
  }
}

void set_disruption_allowed_condition(api::PodDisruptionBudgetStatus& status, api::WallTime now) {
  const bool allowed = status.disruptionsAllowed > 0;
  set_condition(status,
                {.type = kDisruptionAllowed,
                 .status = allowed ? "True" : "False",
                 .observedGeneration = status.observedGeneration,
                 .reason = allowed ? kSufficientPods : kInsufficientPods},
                now);
}

}  // namespace berth::scheduling
