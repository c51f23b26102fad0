// The PodDisruptionBudgets that are stated, with their status as it is kept.
//
// What a status says is worked out from the pods whenever it is asked for (budget_status.hpp states
// how); beyond that a budget remembers only which pods were let go, until they end, and since when
// its condition holds. A budget whose statement is edited starts anew. None of it outlives berthd:
// a pod that was let go is told to end in the same moment, and that is stored with the pod.
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

  // All that are stated now, and the pods of all manifests that stand, whether they are there or
  // not.
  void set_stated(const std::vector<api::PodDisruptionBudget>& stated,
                  std::vector<PodPtr> standing);

  // By namespace and name, with the status that these pods give; nothing is remembered of it.
  [[nodiscard]] std::vector<api::PodDisruptionBudget> look(const std::vector<PodPtr>& pods,
                                                           api::WallTime now) const;
  // The same, remembered, and what there is to tell of each.
  struct Synced {
    api::PodDisruptionBudget budget{};
    std::vector<BudgetEvent> events{};
  };
  std::vector<Synced> sync(const std::vector<PodPtr>& pods, api::WallTime now);
  // A status that an eviction has written.
  void write(const api::PodDisruptionBudget& budget);

 private:
  [[nodiscard]] BudgetInput input_of(const std::vector<PodPtr>& pods, api::WallTime now) const;

  std::map<std::pair<std::string, std::string>, api::PodDisruptionBudget> budgets_{};
  std::vector<PodPtr> standing_{};
};

}  // namespace berth::scheduling
