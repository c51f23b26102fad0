// SPDX-License-Identifier: Apache-2.0

#include "ctl/evict/budget_row.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

TEST(BudgetRow, has_kubectls_columns) {
  api::PodDisruptionBudget budget;
  budget.metadata = {.name = "web", .namespace_ = "shop"};
  budget.spec.minAvailable = api::IntOrString("50%");
  budget.status.disruptionsAllowed = 1;
  EXPECT_EQ(
      format_table({budget_header(WithNamespace::kNo), budget_row(budget, WithNamespace::kNo, {})}),
      "NAME   MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE\n"
      "web    50%             N/A               1                     <unknown>\n");
  EXPECT_EQ(budget_row(budget, WithNamespace::kYes, {}).front(), "shop");
}

}  // namespace
}  // namespace berth::ctl
