// SPDX-License-Identifier: Apache-2.0

// PodDisruptionBudgets as preemption uses them: a preference, never a prohibition.
//
// Created after a scheduler's decision, and valid until the next one on that cluster.
//
// A budget without a selector, or with an empty one, protects no pod here (the eviction API
// differs).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/pod_disruption_budget.hpp"
#include "scheduling/cluster/cluster.hpp"

namespace berth::scheduling {

class DisruptionBudgets {
 public:
  DisruptionBudgets() = default;
  DisruptionBudgets(std::span<const api::PodDisruptionBudget> budgets, Cluster& cluster);

  struct Split {
    std::vector<PodSlot> violating{};
    std::vector<PodSlot> others{};
  };
  // Which of the pods would violate a budget if they were removed in this order.
  [[nodiscard]] Split split(std::span<const PodSlot> pods, const Cluster& cluster) const;

 private:
  struct Budget {
    NameId namespace_ = 0;
    SelectorId selector = 0;
    std::int64_t allowed = 0;
    std::vector<std::string> disrupted{};  // names of pods whose disruption is already counted;
                                           // sorted
  };
  std::vector<Budget> budgets_{};
};

}  // namespace berth::scheduling
