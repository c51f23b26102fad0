// SPDX-License-Identifier: Apache-2.0

#include "scheduling/disruption/budget_status.hpp"

#include <gtest/gtest.h>

namespace berth::scheduling {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const api::WallTime kNow{std::chrono::hours(500'000)};

enum class Health { kReady, kUnready, kTerminating };

api::Pod pod_named(const std::string& name, Health health = Health::kReady) {
  api::Pod pod;
  pod.metadata = {.name = name, .namespace_ = "shop"};
  pod.metadata.labels = {{"app", "web"}};
  pod.status.conditions = {
      {.type = "Ready", .status = health == Health::kUnready ? "False" : "True"}};
  if (health == Health::kTerminating) pod.metadata.deletionTimestamp = api::Time{kNow};
  return pod;
}

api::PodDisruptionBudget budget_with(std::optional<api::IntOrString> min_available,
                                     std::optional<api::IntOrString> max_unavailable) {
  api::PodDisruptionBudget budget;
  budget.metadata = {.name = "guard", .namespace_ = "shop", .generation = 3};
  budget.spec = {.minAvailable = std::move(min_available),
                 .selector = api::LabelSelector{.matchLabels = {{"app", "web"}}},
                 .maxUnavailable = std::move(max_unavailable)};
  return budget;
}

OwnedPod of_manifest(const api::Pod& pod) {
  return {.pod = &pod, .owner = PodOwner{.id = "manifest " + pod.metadata.name, .replicas = 1}};
}

struct Count {
  const char* what = "";
  std::optional<api::IntOrString> min_available{};
  std::optional<api::IntOrString> max_unavailable{};
  std::vector<OwnedPod> pods{};
  std::vector<OwnedPod> standing{};
  int expected = 0;
  int desired = 0;
  int healthy = 0;
  int allowed = 0;
};

void expect_count(const Count& c) {
  SCOPED_TRACE(c.what);
  const BudgetSync sync = sync_budget(budget_with(c.min_available, c.max_unavailable),
                                      {.pods = c.pods, .standing = c.standing, .now = kNow});
  EXPECT_EQ(sync.status.expectedPods, c.expected);
  EXPECT_EQ(sync.status.desiredHealthy, c.desired);
  EXPECT_EQ(sync.status.currentHealthy, c.healthy);
  EXPECT_EQ(sync.status.disruptionsAllowed, c.allowed);
  EXPECT_EQ(sync.status.observedGeneration, 3);
  ASSERT_EQ(sync.status.conditions.size(), 1U);
  EXPECT_EQ(sync.status.conditions[0].reason,
            c.allowed > 0 ? "SufficientPods" : "InsufficientPods");
}

TEST(BudgetStatus, number_of_available_pods_counts_those_that_exist) {
  const api::Pod a = pod_named("a");
  const api::Pod b = pod_named("b");
  const api::Pod c = pod_named("c", Health::kUnready);
  const std::vector<OwnedPod> pods = {{&a, {}}, {&b, {}}, {&c, {}}};
  expect_count({"one of three", 1, {}, pods, {}, 3, 1, 2, 1});
  expect_count({"more than there are", 5, {}, pods, {}, 3, 5, 2, 0});
  expect_count({"of nobody", 0, {}, {}, {}, 0, 0, 0, 0});
  expect_count({"no bound", {}, {}, pods, {}, 0, 0, 2, 0});
}

TEST(BudgetStatus, parts_and_missing_pods_count_manifests_and_owners) {
  const api::Pod a = pod_named("a");
  const api::Pod b = pod_named("b");
  const api::Pod c = pod_named("c", Health::kUnready);
  const PodOwner set{.id = "set", .replicas = 5};
  const std::vector<OwnedPod> two = {of_manifest(a), of_manifest(b)};
  const std::vector<OwnedPod> three = {of_manifest(a), of_manifest(b), of_manifest(c)};
  const std::vector<OwnedPod> mixed = {of_manifest(a), {&b, {}}};
  expect_count({"half of three, rounded up", "50%", {}, three, three, 3, 2, 2, 0});
  expect_count({"a manifest without a pod", {}, 1, {of_manifest(a)}, two, 2, 1, 1, 0});
  expect_count({"an owner's replicas, once", {}, "40%", {{&a, set}, {&b, set}}, {}, 5, 3, 2, 0});
  expect_count({"more missing than there are", {}, 9, two, {}, 2, 0, 2, 2});
  expect_count({"an unmanaged pod beside a managed one", {}, 0, mixed, {}, 1, 1, 2, 1});
  expect_count({"only an unmanaged pod", {}, 1, {{&a, {}}}, {}, 0, 0, 1, 0});
}

TEST(BudgetStatus, unmanaged_pods_are_reported_where_owners_count) {
  const api::Pod a = pod_named("a");
  const api::Pod b = pod_named("b");
  const BudgetInput input{.pods = {of_manifest(a), {&b, {}}}, .now = kNow};
  const BudgetSync by_owner = sync_budget(budget_with({}, 1), input);
  ASSERT_EQ(by_owner.events.size(), 1U);
  EXPECT_EQ(by_owner.events[0].reason, "UnmanagedPods");
  EXPECT_NE(by_owner.events[0].message.find(": b;"), std::string::npos);
  EXPECT_TRUE(sync_budget(budget_with(1, {}), input).events.empty());
}

TEST(BudgetStatus, failed_sync_allows_nothing_and_keeps_the_rest) {
  const api::Pod a = pod_named("a");
  api::PodDisruptionBudget budget = budget_with({}, 1);
  budget.status = {.observedGeneration = 2, .disruptionsAllowed = 4, .currentHealthy = 6};
  const BudgetSync sync = sync_budget(budget, {.pods = {{&a, PodOwner{.id = "set"}}}, .now = kNow});
  EXPECT_EQ(sync.status.disruptionsAllowed, 0);
  EXPECT_EQ(sync.status.currentHealthy, 6);
  EXPECT_EQ(sync.status.observedGeneration, 2);
  ASSERT_EQ(sync.status.conditions.size(), 1U);
  EXPECT_EQ(sync.status.conditions[0].status, "False");
  EXPECT_EQ(sync.status.conditions[0].reason, "SyncFailed");
  EXPECT_EQ(sync.status.conditions[0].message, "found no controllers for pod \"a\"");
}

TEST(BudgetStatus, evicted_pods_are_unhealthy_until_they_are_gone_or_time_is_up) {
  const api::Pod fresh = pod_named("fresh");
  const api::Pod late = pod_named("late");
  const api::Pod leaving = pod_named("leaving", Health::kTerminating);
  api::PodDisruptionBudget budget = budget_with(1, {});
  budget.status.disruptedPods = {{"fresh", api::Time{kNow - seconds(30)}},
                                 {"late", api::Time{kNow - minutes(2) - seconds(1)}},
                                 {"leaving", api::Time{kNow}},
                                 {"gone", api::Time{kNow}}};
  const BudgetSync sync =
      sync_budget(budget, {.pods = {{&fresh, {}}, {&late, {}}, {&leaving, {}}}, .now = kNow});
  ASSERT_EQ(sync.status.disruptedPods.size(), 1U);
  EXPECT_TRUE(sync.status.disruptedPods.contains("fresh"));
  EXPECT_EQ(sync.status.currentHealthy, 1);
  EXPECT_EQ(sync.look_again, kNow + seconds(90));
  ASSERT_EQ(sync.events.size(), 1U);
  EXPECT_EQ(sync.events[0].reason, "NotDeleted");
  EXPECT_EQ(sync.events[0].pod, "late");
}

TEST(BudgetStatus, condition_keeps_its_time_while_its_status_stays) {
  const api::Pod a = pod_named("a");
  const auto sync_at = [&](api::PodDisruptionBudget budget, api::WallTime now) {
    budget.status = sync_budget(budget, {.pods = {{&a, {}}}, .now = now}).status;
    return budget;
  };
  api::PodDisruptionBudget budget = sync_at(budget_with(0, {}), kNow);
  budget = sync_at(budget, kNow + minutes(5));
  EXPECT_EQ(budget.status.conditions[0].lastTransitionTime, api::Time{kNow});
  budget.spec.minAvailable = 1;
  budget = sync_at(budget, kNow + minutes(6));
  EXPECT_EQ(budget.status.conditions[0].lastTransitionTime, api::Time{kNow + minutes(6)});
}

TEST(BudgetStatus, disruption_target_grows_stale_on_pods_that_stay) {
  const auto with_target = [](const char* reason, seconds age) {
    api::Pod pod = pod_named("a");
    pod.status.phase = "Running";
    pod.status.conditions.push_back({.type = "DisruptionTarget",
                                     .status = "True",
                                     .lastTransitionTime = api::Time{kNow - age},
                                     .reason = reason});
    return pod;
  };
  EXPECT_TRUE(
      has_stale_disruption_target(with_target("EvictionByEvictionAPI", seconds(121)), kNow));
  EXPECT_FALSE(
      has_stale_disruption_target(with_target("EvictionByEvictionAPI", seconds(119)), kNow));
  EXPECT_FALSE(
      has_stale_disruption_target(with_target("TerminationByKubelet", seconds(121)), kNow));
  api::Pod failed = with_target("EvictionByEvictionAPI", seconds(121));
  failed.status.phase = "Failed";
  EXPECT_FALSE(has_stale_disruption_target(failed, kNow));
  api::Pod leaving = with_target("EvictionByEvictionAPI", seconds(121));
  leaving.metadata.deletionTimestamp = api::Time{kNow};
  EXPECT_FALSE(has_stale_disruption_target(leaving, kNow));
}

}  // namespace
}  // namespace berth::scheduling
