// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/budget_book.hpp"

#include <gtest/gtest.h>

#include "scheduling/disruption/eviction_request.hpp"

namespace berth::scheduling {
namespace {

const api::WallTime kNow{std::chrono::hours(500'000)};

std::shared_ptr<api::Pod> web(const std::string& name, bool ready = true) {
  auto pod = std::make_shared<api::Pod>();
  pod->metadata = {.name = name, .namespace_ = "shop", .labels = {{"app", "web"}}};
  pod->status.phase = "Running";
  pod->status.conditions = {{.type = "Ready", .status = ready ? "True" : "False"}};
  return pod;
}

api::PodDisruptionBudget one_may_be_missing() {
  api::PodDisruptionBudget budget;
  budget.metadata = {.name = "web", .namespace_ = "shop"};
  budget.spec.maxUnavailable = api::IntOrString(1);
  budget.spec.selector = api::LabelSelector{.matchLabels = {{"app", "web"}}};
  return budget;
}

TEST(BudgetBook, a_manifest_whose_pod_is_missing_counts_as_one_that_is_not_healthy) {
  BudgetBook book;
  const auto a = web("a");
  const auto b = web("b");
  book.set_stated({one_may_be_missing()}, {a, b});
  EXPECT_EQ(book.look({a, b}, kNow).at(0).status.disruptionsAllowed, 1);
  EXPECT_EQ(book.look({a}, kNow).at(0).status.disruptionsAllowed, 0);
  EXPECT_EQ(book.look({a}, kNow).at(0).status.expectedPods, 2);
  EXPECT_EQ(book.look({a, web("b", false)}, kNow).at(0).status.disruptionsAllowed, 0);
}

TEST(BudgetBook, a_pod_that_was_let_go_counts_as_gone_before_it_is) {
  BudgetBook book;
  const auto a = web("a");
  const auto b = web("b");
  book.set_stated({one_may_be_missing()}, {a, b});
  const auto synced = book.sync({a, b}, kNow);
  ASSERT_EQ(synced.size(), 1U);
  EvictionRequest request{.name = "a"};
  request.eviction.metadata.name = "a";
  const EvictionPlan plan =
      plan_eviction(request, {.pod = a.get(), .budgets = {&synced[0].budget}, .now = kNow});
  ASSERT_TRUE(plan.budget);
  book.write(*plan.budget);
  EXPECT_EQ(
      book.sync({a, b}, kNow + std::chrono::seconds(1)).at(0).budget.status.disruptionsAllowed, 0);
  const auto later = book.sync({a, b}, kNow + std::chrono::minutes(3));
  EXPECT_EQ(later.at(0).budget.status.disruptionsAllowed, 1) << "it has not gone in two minutes";
  ASSERT_EQ(later.at(0).events.size(), 1U);
  EXPECT_EQ(later.at(0).events[0].reason, "NotDeleted");
}

TEST(BudgetBook, an_edited_budget_starts_anew_and_one_that_is_gone_protects_nobody) {
  BudgetBook book;
  const auto a = web("a");
  book.set_stated({one_may_be_missing()}, {a});
  auto let_go = book.sync({a}, kNow).at(0).budget;
  let_go.status.disruptedPods["a"] = api::Time{kNow};
  book.write(let_go);
  book.set_stated({one_may_be_missing()}, {a});
  EXPECT_EQ(book.look({a}, kNow).at(0).status.disruptedPods.size(), 1U);
  auto edited = one_may_be_missing();
  edited.spec.maxUnavailable = api::IntOrString(2);
  book.set_stated({edited}, {a});
  EXPECT_TRUE(book.look({a}, kNow).at(0).status.disruptedPods.empty());
  book.set_stated({}, {a});
  EXPECT_TRUE(book.look({a}, kNow).empty());
}

}  // namespace
}  // namespace berth::scheduling
