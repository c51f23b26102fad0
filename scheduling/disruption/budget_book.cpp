// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/budget_book.hpp"

#include <set>

namespace berth::scheduling {
namespace {

std::string name_of(const api::Pod& pod) {
  return pod.metadata.namespace_ + "/" + pod.metadata.name;
}

}  // namespace

void BudgetBook::set_stated(const std::vector<api::PodDisruptionBudget>& stated,
                            std::vector<PodPtr> standing) {
  std::map<std::pair<std::string, std::string>, api::PodDisruptionBudget> now;
  for (const api::PodDisruptionBudget& one : stated) {
    std::pair key(one.metadata.namespace_, one.metadata.name);
    const auto before = budgets_.find(key);
    api::PodDisruptionBudget budget = one;
    budget.status = {};
    if (before != budgets_.end() && before->second.spec == one.spec)
      budget.status = before->second.status;
    now.insert_or_assign(std::move(key), std::move(budget));
  }
  budgets_ = std::move(now);
  standing_ = std::move(standing);
}

// A manifest is the owner of the pod that it creates again and again.
BudgetInput BudgetBook::input_of(const std::vector<PodPtr>& pods, api::WallTime now) const {
  BudgetInput input{.now = now};
  std::set<std::string> owners;
  for (const PodPtr& pod : standing_) {
    const std::string id = name_of(*pod);
    owners.insert(id);
    input.standing.push_back({.pod = pod.get(), .owner = PodOwner{.id = id, .replicas = 1}});
  }
  for (const PodPtr& pod : pods) {
    OwnedPod owned{.pod = pod.get()};
    const std::string id = name_of(*pod);
    if (owners.contains(id)) owned.owner = PodOwner{.id = id, .replicas = 1};
    input.pods.push_back(std::move(owned));
  }
  return input;
}

std::vector<api::PodDisruptionBudget> BudgetBook::look(const std::vector<PodPtr>& pods,
                                                       api::WallTime now) const {
  if (budgets_.empty()) return {};
  const BudgetInput input = input_of(pods, now);
  std::vector<api::PodDisruptionBudget> budgets;
  for (const auto& [key, budget] : budgets_) {
    budgets.push_back(budget);
    budgets.back().status = sync_budget(budget, input).status;
  }
  return budgets;
}

std::vector<BudgetBook::Synced> BudgetBook::sync(const std::vector<PodPtr>& pods,
                                                 api::WallTime now) {
  const BudgetInput input = input_of(pods, now);
  std::vector<Synced> all;
  for (auto& [key, budget] : budgets_) {
    BudgetSync sync = sync_budget(budget, input);
    budget.status = std::move(sync.status);
    all.push_back({.budget = budget, .events = std::move(sync.events)});
  }
  return all;
}

void BudgetBook::write(const api::PodDisruptionBudget& budget) {
  const auto found = budgets_.find({budget.metadata.namespace_, budget.metadata.name});
  if (found != budgets_.end()) found->second.status = budget.status;
}

}  // namespace berth::scheduling
