// SPDX-License-Identifier: Apache-2.0

// The PodDisruptionBudgets of the present manifests, with their current status.
//
// A status is recomputed from the pods on each request (by the rules of budget_status.hpp); beyond
// that, a budget only remembers which pods it allowed to be evicted, until they end, and since when
// its condition holds. A budget whose spec is edited starts over. Nothing here is persisted: a pod
// that may be evicted gets its deletion order at the same moment, and that is stored with the pod.
//
// A stateful value; no I/O.
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

  // Takes all present budgets, and the pods of all present manifests, even if those pods do not
  // exist.
  void set_stated(const std::vector<api::PodDisruptionBudget>& stated,
                  std::vector<PodPtr> standing);

  // The budgets by namespace and name, with the status for these pods; changes nothing.
  [[nodiscard]] std::vector<api::PodDisruptionBudget> look(const std::vector<PodPtr>& pods,
                                                           api::WallTime now) const;
  // The same, but stores the status and returns each budget's events.
  struct Synced {
    api::PodDisruptionBudget budget{};
    std::vector<BudgetEvent> events{};
  };
  std::vector<Synced> sync(const std::vector<PodPtr>& pods, api::WallTime now);
  // Stores a status written by an eviction.
  void write(const api::PodDisruptionBudget& budget);

 private:
  [[nodiscard]] BudgetInput input_of(const std::vector<PodPtr>& pods, api::WallTime now) const;

  std::map<std::pair<std::string, std::string>, api::PodDisruptionBudget> budgets_{};
  std::vector<PodPtr> standing_{};
};

}  // namespace berth::scheduling
