// SPDX-License-Identifier: Apache-2.0

#include "scheduling/preemption/disruption_budgets.hpp"

#include <algorithm>

namespace berth::scheduling {

DisruptionBudgets::DisruptionBudgets(std::span<const api::PodDisruptionBudget> budgets,
                                     Cluster& cluster) {
  Vocabulary& vocabulary = cluster.vocabulary();
  for (const api::PodDisruptionBudget& stated : budgets) {
    const auto selector = LabelSelector::compile(stated.spec.selector);
    if (!selector || selector->is_empty()) continue;
    Budget budget{.namespace_ = vocabulary.name(stated.metadata.namespace_),
                  .selector = vocabulary.selector(*selector),
                  .allowed = stated.status.disruptionsAllowed};
    for (const auto& [name, time] : stated.status.disruptedPods) budget.disrupted.push_back(name);
    budgets_.push_back(std::move(budget));
  }
}

DisruptionBudgets::Split DisruptionBudgets::split(std::span<const PodSlot> pods,
                                                  const Cluster& cluster) const {
  const Vocabulary& vocabulary = cluster.vocabulary();
  std::vector<std::int64_t> allowed;
  for (const Budget& budget : budgets_) allowed.push_back(budget.allowed);
  Split split;
  for (const PodSlot slot : pods) {
    const PodInfo& pod = cluster.pod(slot);
    bool violates = false;
    for (std::size_t i = 0; i < budgets_.size() && pod.labels != kNoLabels; ++i) {
      const Budget& budget = budgets_[i];
      if (budget.namespace_ != pod.namespace_) continue;
      if (!vocabulary.matches(budget.selector, pod.labels)) continue;
      if (std::binary_search(budget.disrupted.begin(), budget.disrupted.end(), pod.name)) continue;
      if (--allowed[i] < 0) violates = true;
    }
    (violates ? split.violating : split.others).push_back(slot);
  }
  return split;
}

}  // namespace berth::scheduling
