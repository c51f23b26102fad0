// SPDX-License-Identifier: Apache-2.0

// The eviction API: evict.
#include <algorithm>
#include <chrono>

#include "api/eviction.hpp"
#include "api/status.hpp"
#include "scheduling/disruption/eviction_request.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/case_input.hpp"

namespace berth::conformance {
namespace {

using namespace case_input;
using scheduling::EvictionPlan;
using scheduling::EvictionRequest;
using scheduling::EvictionView;

const api::WallTime kNow{std::chrono::hours(500'000)};

std::string foreign_name(std::int64_t number) {
  return "foreign-" + std::to_string(number);
}

// Expands the input's short form: this many pods of other names are disrupted as well.
void add_foreign(api::PodDisruptionBudget& budget, const json::object& input) {
  for (std::int64_t i = 0; i < number(input, "disruptedPodsCount"); ++i) {
    budget.status.disruptedPods[foreign_name(i)] = api::Time{kNow};
  }
}

std::vector<api::PodDisruptionBudget> budgets_of(const json::object& input) {
  auto budgets = decoded_list<api::PodDisruptionBudget>(input, "pdbs");
  for (api::PodDisruptionBudget& budget : budgets) add_foreign(budget, input);
  return budgets;
}

bool is_same(const api::PodDisruptionBudget& a, const api::PodDisruptionBudget& b) {
  return a.metadata.name == b.metadata.name && a.metadata.namespace_ == b.metadata.namespace_;
}

// Executes the plan's first write, planning again after each conflict. Returns the plan whose write
// succeeded, and the budget in its then state.
EvictionPlan written(const json::object& input, const EvictionRequest& request,
                     const EvictionView& view, std::vector<api::PodDisruptionBudget>& budgets) {
  EvictionPlan plan = plan_eviction(request, view);
  const std::int64_t conflicts = number(input, "pdbUpdateConflicts");
  for (int tries = 1; plan.budget && tries <= conflicts; ++tries) {
    if (input.contains("pdbAfterFirstConflict")) {
      auto current = decoded<api::PodDisruptionBudget>(input, "pdbAfterFirstConflict");
      add_foreign(current, input);
      for (api::PodDisruptionBudget& budget : budgets) {
        if (is_same(budget, current)) budget = current;
      }
    }
    const auto decided = std::ranges::find_if(
        budgets, [&](const auto& budget) { return is_same(budget, *plan.budget); });
    plan = replan_with_budget(request, view, *decided, tries);
  }
  for (api::PodDisruptionBudget& budget : budgets) {
    if (plan.budget && is_same(budget, *plan.budget)) budget = *plan.budget;
  }
  return plan;
}

json::object budget_state(const api::PodDisruptionBudget& budget, std::int64_t foreign) {
  json::object out{{"disruptionsAllowed", budget.status.disruptionsAllowed}};
  auto disrupted = budget.status.disruptedPods;
  for (std::int64_t i = 0; i < foreign; ++i) disrupted.erase(foreign_name(i));
  json::array names;
  for (const auto& [name, at] : disrupted) names.emplace_back(name);
  if (!names.empty()) out["disruptedPods"] = std::move(names);
  for (const api::Condition& condition : budget.status.conditions) {
    if (condition.type != "DisruptionAllowed") continue;
    out["disruptionAllowedCondition"] = condition.status + "/" + condition.reason;
  }
  return out;
}

json::value run_evict(const json::object& input) {
  EvictionRequest request{.name = text(input, "urlName"),
                          .dry_run = strings(input, "dryRun"),
                          .eviction = decoded<api::Eviction>(input, "eviction")};
  const auto pod = decoded<api::Pod>(input, "pod");
  auto budgets = budgets_of(input);
  EvictionView view{.pod = input.contains("pod") ? &pod : nullptr, .now = kNow};
  const std::vector<api::PodDisruptionBudget> before = budgets;
  for (const api::PodDisruptionBudget& budget : before) view.budgets.push_back(&budget);

  const EvictionPlan plan = written(input, request, view, budgets);
  json::object out{{"httpStatus", plan.answer.code},
                   {"status", api::to_json(plan.answer)},
                   {"deleted", plan.deletion && plan.deletion->dryRun.empty()},
                   {"disruptionTargetCondition", plan.condition.has_value()},
                   {"deleteHasResourceVersionPrecondition",
                    plan.deletion && plan.deletion->preconditions &&
                        plan.deletion->preconditions->resourceVersion.has_value()}};
  if (plan.deletion && plan.deletion->gracePeriodSeconds) {
    out["deleteGracePeriodSeconds"] = *plan.deletion->gracePeriodSeconds;
  }
  json::object after;
  for (const api::PodDisruptionBudget& budget : budgets) {
    after[budget.metadata.namespace_ + "/" + budget.metadata.name] =
        budget_state(budget, number(input, "disruptedPodsCount"));
  }
  if (!after.empty()) out["pdbsAfter"] = std::move(after);
  return out;
}

}  // namespace

std::vector<Kind> evict_kinds() {
  return {{.name = "evict", .run = run_evict}};
}

}  // namespace berth::conformance
