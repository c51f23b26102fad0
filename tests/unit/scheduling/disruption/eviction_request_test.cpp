// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/eviction_request.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace berth::scheduling {
namespace {

const api::WallTime kNow{std::chrono::hours(500'000)};

api::Pod ready_pod() {
  api::Pod pod;
  pod.metadata = {.name = "web", .namespace_ = "shop", .uid = "u1", .resourceVersion = "7"};
  pod.metadata.labels = {{"app", "web"}};
  pod.status.phase = "Running";
  pod.status.conditions = {{.type = "Ready", .status = "True"}};
  return pod;
}

api::Pod unready_pod() {
  api::Pod pod = ready_pod();
  pod.status.conditions[0].status = "False";
  return pod;
}

api::PodDisruptionBudget budget_of(std::int32_t allowed, std::int32_t healthy = 3,
                                   std::int32_t desired = 2) {
  api::PodDisruptionBudget budget;
  budget.metadata = {.name = "guard", .namespace_ = "shop", .generation = 1};
  budget.spec.selector = api::LabelSelector{.matchLabels = {{"app", "web"}}};
  budget.status = {.observedGeneration = 1,
                   .disruptionsAllowed = allowed,
                   .currentHealthy = healthy,
                   .desiredHealthy = desired};
  return budget;
}

EvictionRequest request_for(const std::string& name) {
  EvictionRequest request{.name = name};
  request.eviction.metadata.name = name;
  return request;
}

EvictionPlan plan_for(const api::Pod& pod, const std::vector<api::PodDisruptionBudget>& budgets,
                      const EvictionRequest& request = request_for("web")) {
  EvictionView view{.pod = &pod, .now = kNow};
  for (const auto& budget : budgets) view.budgets.push_back(&budget);
  return plan_eviction(request, view);
}

TEST(EvictionRequest, allowance_is_spent_and_the_pod_named_before_it_is_deleted) {
  const EvictionPlan plan = plan_for(ready_pod(), {budget_of(2)});
  EXPECT_EQ(plan.rule, EvictionRule::kBudgetSpent);
  EXPECT_EQ(plan.answer.code, 201);
  ASSERT_TRUE(plan.budget.has_value());
  EXPECT_EQ(plan.budget->status.disruptionsAllowed, 1);
  EXPECT_EQ(plan.budget->status.disruptedPods.at("web").at, kNow);
  EXPECT_TRUE(plan.budget->status.conditions.empty());
  ASSERT_TRUE(plan.condition.has_value());
  EXPECT_EQ(plan.condition->reason, "EvictionByEvictionAPI");
  ASSERT_TRUE(plan.deletion.has_value());
  EXPECT_FALSE(plan.deletion->preconditions.has_value());
}

TEST(EvictionRequest, last_allowance_turns_the_condition) {
  const EvictionPlan plan = plan_for(ready_pod(), {budget_of(1)});
  ASSERT_TRUE(plan.budget.has_value());
  ASSERT_EQ(plan.budget->status.conditions.size(), 1U);
  EXPECT_EQ(plan.budget->status.conditions[0].status, "False");
  EXPECT_EQ(plan.budget->status.conditions[0].reason, "InsufficientPods");
}

TEST(EvictionRequest, refusals_have_the_api_servers_codes_and_words) {
  struct Case {
    const char* what;
    api::Pod pod;
    std::vector<api::PodDisruptionBudget> budgets;
    int code;
    const char* reason;
    int retry_after;
    const char* cause;
  };
  api::PodDisruptionBudget stale = budget_of(2);
  stale.metadata.generation = 2;
  api::PodDisruptionBudget crowded = budget_of(2);
  for (int i = 0; i <= 2000; ++i) crowded.status.disruptedPods[std::to_string(i)] = {};
  const Case cases[] = {
      {"two budgets", ready_pod(), {budget_of(2), budget_of(2)}, 500, "", 0, ""},
      {"no allowance",
       ready_pod(),
       {budget_of(0)},
       429,
       "TooManyRequests",
       0,
       "The disruption budget guard needs 2 healthy pods and has 3 currently"},
      {"an old status",
       ready_pod(),
       {stale},
       429,
       "TooManyRequests",
       10,
       "The disruption budget guard is still being processed by the server."},
      {"a negative allowance", ready_pod(), {budget_of(-1)}, 403, "Forbidden", 0, ""},
      {"too many unconfirmed evictions", ready_pod(), {crowded}, 403, "Forbidden", 0, ""},
      {"an unready pod below the budget",
       unready_pod(),
       {budget_of(0, 1, 2)},
       429,
       "TooManyRequests",
       0,
       "The disruption budget guard needs 2 healthy pods and has 1 currently"},
      {"an unready pod of a budget that wants nobody",
       unready_pod(),
       {budget_of(0, 0, 0)},
       429,
       "TooManyRequests",
       0,
       "The disruption budget guard needs 0 healthy pods and has 0 currently"},
  };
  for (const Case& c : cases) {
    const EvictionPlan plan = plan_for(c.pod, c.budgets);
    EXPECT_EQ(plan.rule, EvictionRule::kRefused) << c.what;
    EXPECT_EQ(plan.answer.code, c.code) << c.what;
    EXPECT_EQ(plan.answer.reason, c.reason) << c.what;
    EXPECT_FALSE(plan.budget || plan.condition || plan.deletion) << c.what;
    const api::StatusDetails details = plan.answer.details.value_or(api::StatusDetails{});
    EXPECT_EQ(details.retryAfterSeconds, c.retry_after) << c.what;
    EXPECT_EQ(details.causes.empty() ? "" : details.causes[0].message, c.cause) << c.what;
  }
}

TEST(EvictionRequest, budget_is_not_asked_about_pods_past_its_protection) {
  struct Case {
    const char* phase;
    bool terminating;
    bool pins_version;
  };
  const Case cases[] = {{"Pending", false, true},
                        {"Pending", true, false},
                        {"Succeeded", false, false},
                        {"Failed", false, false},
                        {"Running", true, false}};
  for (const Case& c : cases) {
    api::Pod pod = ready_pod();
    pod.status.phase = c.phase;
    if (c.terminating) pod.metadata.deletionTimestamp = api::Time{kNow};
    const EvictionPlan plan = plan_for(pod, {budget_of(0), budget_of(0)});
    EXPECT_EQ(plan.rule, EvictionRule::kPodIsPastProtection) << c.phase;
    ASSERT_TRUE(plan.deletion.has_value()) << c.phase;
    EXPECT_EQ(plan.deletion->preconditions.has_value(), c.pins_version) << c.phase;
  }
}

TEST(EvictionRequest, unready_pod_goes_uncounted_where_the_policy_lets_it) {
  api::PodDisruptionBudget always = budget_of(0, 0, 2);
  always.spec.unhealthyPodEvictionPolicy = "AlwaysAllow";
  for (const auto& budget : {always, budget_of(0, 2, 2)}) {
    const EvictionPlan plan = plan_for(unready_pod(), {budget});
    EXPECT_EQ(plan.rule, EvictionRule::kUnhealthyPod);
    EXPECT_FALSE(plan.budget.has_value());
    ASSERT_TRUE(plan.deletion && plan.deletion->preconditions);
    EXPECT_EQ(plan.deletion->preconditions->resourceVersion, "7");
  }
  EXPECT_EQ(plan_for(ready_pod(), {always}).answer.code, 429);
}

TEST(EvictionRequest, empty_selector_protects_and_an_absent_one_does_not) {
  api::PodDisruptionBudget all = budget_of(0);
  all.spec.selector = api::LabelSelector{};
  EXPECT_EQ(plan_for(ready_pod(), {all}).answer.code, 429);
  api::PodDisruptionBudget none = budget_of(0);
  none.spec.selector.reset();
  EXPECT_EQ(plan_for(ready_pod(), {none}).rule, EvictionRule::kNoBudget);
  api::PodDisruptionBudget elsewhere = budget_of(0);
  elsewhere.metadata.namespace_ = "other";
  EXPECT_EQ(plan_for(ready_pod(), {elsewhere}).rule, EvictionRule::kNoBudget);
}

TEST(EvictionRequest, dry_run_answers_the_same_and_writes_nothing) {
  EvictionRequest in_query = request_for("web");
  in_query.dry_run = {"All"};
  EvictionRequest in_body = request_for("web");
  in_body.eviction.deleteOptions = api::DeleteOptions{.dryRun = {"All"}};
  for (const EvictionRequest& request : {in_query, in_body}) {
    const EvictionPlan plan = plan_for(ready_pod(), {budget_of(1)}, request);
    EXPECT_EQ(plan.answer.code, 201);
    EXPECT_FALSE(plan.budget || plan.condition);
    ASSERT_TRUE(plan.deletion.has_value());
    EXPECT_EQ(plan.deletion->dryRun, std::vector<std::string>{"All"});
    EXPECT_EQ(plan_for(ready_pod(), {budget_of(0)}, request).answer.code, 429);
  }
  EvictionRequest mismatch = in_body;
  mismatch.dry_run = {"All", "All"};
  const EvictionPlan plan = plan_for(ready_pod(), {}, mismatch);
  EXPECT_EQ(plan.answer.code, 500);
  EXPECT_EQ(plan.answer.message,
            "Non-matching dry-run options in request and content: [All All] and [All]");
}

TEST(EvictionRequest, allowance_is_spent_even_where_a_precondition_then_fails) {
  EvictionRequest request = request_for("web");
  request.eviction.deleteOptions =
      api::DeleteOptions{.preconditions = api::Preconditions{.uid = "u2"}};
  const EvictionPlan plan = plan_for(ready_pod(), {budget_of(2)}, request);
  EXPECT_EQ(plan.answer.code, 409);
  EXPECT_EQ(plan.answer.message,
            "Operation cannot be fulfilled on Pod \"web\": the UID in the precondition (u2) does "
            "not match the UID in record (u1). The object might have been deleted and then "
            "recreated");
  EXPECT_FALSE(plan.deletion.has_value());
  ASSERT_TRUE(plan.budget.has_value());
  EXPECT_EQ(plan.budget->status.disruptionsAllowed, 1);
}

TEST(EvictionRequest, broken_precondition_of_an_unready_pod_asks_to_try_again) {
  api::PodDisruptionBudget always = budget_of(0, 0, 2);
  always.spec.unhealthyPodEvictionPolicy = "AlwaysAllow";
  EvictionRequest request = request_for("web");
  request.eviction.deleteOptions =
      api::DeleteOptions{.preconditions = api::Preconditions{.uid = "u2"}};
  for (const auto& budget : {always, budget_of(0, 2, 2)}) {
    const EvictionPlan plan = plan_for(unready_pod(), {budget}, request);
    EXPECT_EQ(plan.answer.code, 429);
    ASSERT_TRUE(plan.answer.details.has_value());
    EXPECT_EQ(plan.answer.details->retryAfterSeconds, 10);
    ASSERT_EQ(plan.answer.details->causes.size(), 1U);
    EXPECT_EQ(plan.answer.details->causes[0].message,
              "The disruption budget guard is still being processed by the server.");
    EXPECT_FALSE(plan.deletion || plan.condition || plan.budget);
  }
  // A request that names a version, even an empty one, learns that it is not the pod's.
  for (const char* version : {"7", ""}) {
    request.eviction.deleteOptions->preconditions->resourceVersion = version;
    EXPECT_EQ(plan_for(unready_pod(), {always}, request).answer.code, 409) << version;
  }
}

TEST(EvictionRequest, request_that_contradicts_itself_is_refused_before_anything_is_looked_at) {
  EvictionRequest other_name = request_for("web");
  other_name.eviction.metadata.name = "db";
  EXPECT_EQ(plan_eviction(other_name, {}).answer.code, 400);
  EXPECT_EQ(plan_eviction(request_for("web"), {}).answer.code, 404);
  EvictionRequest unsafe = request_for("web");
  unsafe.eviction.deleteOptions =
      api::DeleteOptions{.ignoreStoreReadErrorWithClusterBreakingPotential = true};
  EXPECT_EQ(plan_eviction(unsafe, {}).answer.code, 422);
}

TEST(EvictionRequest, both_versions_of_the_api_are_known_and_no_other) {
  for (const auto& [version, code] : {std::pair("policy/v1", 201), std::pair("policy/v1beta1", 201),
                                      std::pair("", 201), std::pair("policy/v2", 400)}) {
    EvictionRequest request = request_for("web");
    request.eviction.apiVersion = version;
    EXPECT_EQ(plan_for(ready_pod(), {}, request).answer.code, code) << version;
  }
}

TEST(EvictionRequest, conflict_at_the_budget_looks_at_its_allowance_again) {
  const EvictionRequest request = request_for("web");
  const api::Pod pod = ready_pod();
  const EvictionView view{.pod = &pod, .now = kNow};
  const EvictionPlan again = replan_with_budget(request, view, budget_of(4), 1);
  ASSERT_TRUE(again.budget.has_value());
  EXPECT_EQ(again.budget->status.disruptionsAllowed, 3);
  EXPECT_EQ(replan_with_budget(request, view, budget_of(0), 1).answer.code, 429);
  const EvictionPlan given_up = replan_with_budget(request, view, budget_of(4), kEvictionTries);
  EXPECT_EQ(given_up.answer.code, 504);
  EXPECT_EQ(given_up.answer.details->retryAfterSeconds, 10);
  EXPECT_FALSE(given_up.budget.has_value());
}

TEST(EvictionRequest, conflict_at_the_pod_is_retried_or_answered_by_who_named_the_version) {
  const api::Status conflict{.status = "Failure", .reason = "Conflict", .code = 409};
  api::Pod pending = ready_pod();
  pending.status.phase = "Pending";
  const EvictionPlan unprotected = plan_for(pending, {});
  EXPECT_FALSE(answer_to_pod_conflict(request_for("web"), unprotected, conflict, 1).has_value());
  EXPECT_EQ(answer_to_pod_conflict(request_for("web"), unprotected, conflict, kEvictionTries)->code,
            409);
  const EvictionPlan unhealthy = plan_for(unready_pod(), {budget_of(0, 2, 2)});
  EXPECT_EQ(answer_to_pod_conflict(request_for("web"), unhealthy, conflict, 1)->code, 429);

  EvictionRequest pinned = request_for("web");
  pinned.eviction.deleteOptions =
      api::DeleteOptions{.preconditions = api::Preconditions{.resourceVersion = "7"}};
  EXPECT_EQ(answer_to_pod_conflict(pinned, unprotected, conflict, 1)->code, 409);
  EXPECT_EQ(answer_to_pod_conflict(pinned, unhealthy, conflict, 1)->code, 409);
}

}  // namespace
}  // namespace berth::scheduling
