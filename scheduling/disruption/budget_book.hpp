// SPDX-License-Identifier: Apache-2.0

// The stated PodDisruptionBudgets, with their current status.
//
// A status is recomputed from the pods on each request (budget_status.hpp has the rules); beyond
// that a budget only remembers which pods it let go, until they end, and since when its condition
// holds. A budget whose spec is edited starts over. Nothing here is persisted: a pod that is let go
// gets its deletion order at the same moment, and that is stored with the pod.
//
// A value with memory, and no I/O.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/pod.hpp"
#include "api/pod_disruption_budget.hpp"
#include "scheduling/disruption/budget_status.hpp"

namespace berth::scheduling {

class BudgetBook {
 public:
  using PodPtr = std::shared_ptr<const api::Pod>;

  // All budgets that are stated now, and the pods of all present manifests, whether the pods exist
  // or not.
  void set_stated(const std::vector<api::PodDisruptionBudget>& stated,
                  std::vector<PodPtr> standing);

  // By namespace and name, with the status for these pods; changes nothing.
  [[nodiscard]] std::vector<api::PodDisruptionBudget> look(const std::vector<PodPtr>& pods,
                                                           api::WallTime now) const;
  // The same, but remembered, with the events of each budget.
  struct Synced {
    api::PodDisruptionBudget budget{};
    std::vector<BudgetEvent> events{};
  };
  std::vector<Synced> sync(const std::vector<PodPtr>& pods, api::WallTime now);
  // Takes over a status that an eviction has written.
  void write(const api::PodDisruptionBudget& budget);

 private:
  [[nodiscard]] BudgetInput input_of(const std::vector<PodPtr>& pods, api::WallTime now) const;

  std::map<std::pair<std::string, std::string>, api::PodDisruptionBudget> budgets_{};
  std::vector<PodPtr> standing_{};
};

}  // namespace berth::scheduling
