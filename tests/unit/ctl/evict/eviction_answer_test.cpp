// SPDX-License-Identifier: Apache-2.0

#include "ctl/evict/eviction_answer.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

api::Status refusal(int code, const char* message) {
  return {.status = "Failure", .message = message, .code = code};
}

TEST(EvictionReport, says_which_rule_let_the_pod_go) {
  const auto report =
      eviction_report({.pod = "web-node1",
                       .answer = {.status = "Success", .code = 201},
                       .why = "budget web allows 1 disruptions, of which this is one",
                       .comes_back = true});
  EXPECT_EQ(report.text,
            "pod/web-node1 evicted: budget web allows 1 disruptions, of which this is one\n");
  EXPECT_TRUE(report.complaint.starts_with("note: its manifest is still in the folder"));
  EXPECT_EQ(report.exit_code, 0);
}

TEST(EvictionReport, a_dry_run_says_so) {
  const auto report = eviction_report({.pod = "web",
                                       .answer = {.status = "Success", .code = 201},
                                       .why = "no budget selects the pod",
                                       .dry_run = true});
  EXPECT_EQ(report.text, "pod/web evicted (dry run): no budget selects the pod\n");
  EXPECT_EQ(report.complaint, "");
}

TEST(EvictionReport, a_budget_in_the_way_has_an_exit_code_of_its_own) {
  auto answer = refusal(429, "Cannot evict pod as it would violate the pod's disruption budget.");
  answer.details = api::StatusDetails{
      .causes = {{.reason = "DisruptionBudget",
                  .message = "The disruption budget web needs 2 healthy pods and has 2 currently"}},
      .retryAfterSeconds = 10};
  const auto report = eviction_report({.pod = "web", .answer = answer});
  EXPECT_EQ(report.text, "");
  EXPECT_EQ(report.complaint,
            "error: cannot evict pod \"web\": Cannot evict pod as it would violate the pod's "
            "disruption budget.\n"
            "  The disruption budget web needs 2 healthy pods and has 2 currently\n"
            "  try again in 10 s\n");
  EXPECT_EQ(report.exit_code, 7);
}

TEST(EvictionReport, other_refusals_fail) {
  EXPECT_EQ(eviction_report({.pod = "web", .answer = refusal(500, "two budgets")}).exit_code, 1);
  EXPECT_EQ(eviction_report({.pod = "web", .answer = refusal(404, "not found")}).exit_code, 3);
}

}  // namespace
}  // namespace berth::ctl
