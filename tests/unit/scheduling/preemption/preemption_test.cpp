// SPDX-License-Identifier: Apache-2.0

#include "scheduling/preemption/preemption.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduling/scheduling_objects.hpp"

namespace berth::scheduling {
namespace {

using Names = std::vector<std::string>;

Names names_of(const Cluster& cluster, const Victims& victims) {
  Names names;
  for (const PodSlot pod : victims.pods) names.push_back(cluster.pod(pod).key);
  return names;
}

api::PodDisruptionBudget budget(std::int32_t allowed) {
  api::PodDisruptionBudget made;
  made.metadata.namespace_ = "default";
  made.spec.selector = api::LabelSelector{.matchLabels = {{"app", "db"}}};
  made.status.disruptionsAllowed = allowed;
  return made;
}

TEST(Preemption, the_least_important_pods_that_make_room_go) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("low", "2", 1), "a");
  place(cluster, a_pod("mid", "1", 5), "a");
  place(cluster, a_pod("high", "1", 50), "a");
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q", "1", 10);
  EXPECT_EQ(scheduler.decide(pod).outcome, Decision::Outcome::kUnschedulable);
  const Preemption preemption = preempt(scheduler, {});
  ASSERT_EQ(preemption.best.size(), 1U);
  EXPECT_EQ(names_of(cluster, preemption.candidates[0].victims), Names{"low"});
  EXPECT_EQ(preemption.message, "0/1 nodes are available: 1 Insufficient cpu.");
}

// This differs from the kubelet's own preemption for critical pods (node/critical_preemption).
TEST(Preemption, of_equal_priority_the_one_that_started_last_goes_whatever_its_qos_class) {
  const auto victim_if_later_is = [](bool guaranteed) {
    Cluster cluster;
    cluster.set_node(a_node("a"));
    for (const bool is_later : {false, true}) {
      api::Pod pod = a_pod(is_later ? "later" : "earlier", "2", 1);
      auto& resources = pod.spec.containers[0].resources;
      if (is_later == guaranteed) resources.limits = resources.requests;
      pod.status.startTime = api::Time{api::WallTime{std::chrono::hours(is_later ? 2 : 1)}};
      place(cluster, pod, "a");
    }
    Scheduler scheduler(cluster, {});
    const api::Pod pod = a_pod("q", "2", 10);
    scheduler.decide(pod);
    return names_of(cluster, preempt(scheduler, {}).candidates.at(0).victims);
  };
  EXPECT_EQ(victim_if_later_is(true), Names{"later"});
  EXPECT_EQ(victim_if_later_is(false), Names{"later"});
}

TEST(Preemption, who_is_protected_by_a_budget_is_put_back_first) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  api::Pod guarded = a_pod("guarded", "2", 1);
  guarded.metadata.labels = {{"app", "db"}};
  place(cluster, guarded, "a");
  place(cluster, a_pod("free", "2", 5), "a");
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q", "2", 10);
  scheduler.decide(pod);
  const std::vector<api::PodDisruptionBudget> none_left = {budget(0)};
  Preemption preemption = preempt(scheduler, DisruptionBudgets(none_left, cluster));
  EXPECT_EQ(names_of(cluster, preemption.candidates[0].victims), Names{"free"});
  const std::vector<api::PodDisruptionBudget> some_left = {budget(1)};
  preemption = preempt(scheduler, DisruptionBudgets(some_left, cluster));
  EXPECT_EQ(names_of(cluster, preemption.candidates[0].victims), Names{"guarded"});
}

TEST(Preemption, where_nobody_is_less_important_it_does_not_help) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("p", "4", 10), "a");
  api::Node closed = a_node("b");
  closed.spec.unschedulable = true;
  cluster.set_node(closed);
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q", "1", 10);
  scheduler.decide(pod);
  const Preemption preemption = preempt(scheduler, {});
  EXPECT_TRUE(preemption.best.empty());
  EXPECT_TRUE(preemption.clears_nomination);
  EXPECT_EQ(preemption.message,
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. no new "
            "claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims "
            "found for incoming pod, 1 Preemption is not helpful for scheduling.");
}

TEST(Preemption, a_pod_that_must_never_preempt_keeps_its_nomination) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("p", "4"), "a");
  Scheduler scheduler(cluster, {});
  api::Pod pod = a_pod("q", "1", 10);
  pod.spec.preemptionPolicy = "Never";
  scheduler.decide(pod);
  const Preemption preemption = preempt(scheduler, {});
  EXPECT_EQ(preemption.ineligible_reason, "not eligible due to preemptionPolicy=Never.");
  EXPECT_FALSE(preemption.clears_nomination);
}

TEST(Preemption, a_profile_can_switch_it_off) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("p", "4"), "a");
  Scheduler scheduler(cluster, {.preempts = false});
  const api::Pod pod = a_pod("q", "1", 10);
  scheduler.decide(pod);
  const Preemption preemption = preempt(scheduler, {});
  EXPECT_FALSE(preemption.ineligible_reason.empty());
  EXPECT_TRUE(preemption.candidates.empty());
  EXPECT_FALSE(preemption.clears_nomination);
  EXPECT_EQ(preemption.message,
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate");
}

TEST(Preemption, on_a_cluster_without_nodes_nothing_of_the_last_pod_is_left) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("p", "4"), "a");
  Scheduler scheduler(cluster, {});
  const api::Pod first = a_pod("first", "1", 10);
  scheduler.decide(first);
  cluster.remove_node("a");
  const api::Pod second = a_pod("second", "1", 20);
  EXPECT_EQ(scheduler.decide(second).outcome, Decision::Outcome::kError);
  EXPECT_EQ(scheduler.pod().info.key, "second");
  EXPECT_EQ(scheduler.pod().object, &second);
  EXPECT_TRUE(preempt(scheduler, {}).candidates.empty());
}

TEST(Preemption, starts_before_all_time_are_compared_as_well) {
  Cluster cluster;
  for (const char* name : {"a", "b", "c"}) {
    cluster.set_node(a_node(name));
    api::Pod pod = a_pod(std::string("on-") + name, "4");
    if (*name == 'a') pod.status.startTime = api::Time{api::WallTime::min()};
    if (*name == 'b') pod.status.startTime = api::Time{api::WallTime(std::chrono::seconds(5))};
    place(cluster, pod, name);
  }
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q", "4", 10);
  scheduler.decide(pod);
  // A pod that has not started counts as the latest.
  const Preemption preemption = preempt(scheduler, {});
  ASSERT_EQ(preemption.best.size(), 1U);
  EXPECT_EQ(cluster.node(preemption.candidates[preemption.best[0]].node).name, "c");
}

TEST(Preemption, the_node_with_the_least_important_victims_is_chosen) {
  Cluster cluster;
  for (const char* name : {"a", "b"}) cluster.set_node(a_node(name));
  place(cluster, a_pod("a1", "4", 5), "a");
  place(cluster, a_pod("b1", "2", 4), "b");
  place(cluster, a_pod("b2", "2", 4), "b");
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q", "4", 10);
  scheduler.decide(pod);
  const Preemption preemption = preempt(scheduler, {});
  ASSERT_EQ(preemption.best.size(), 1U);
  EXPECT_EQ(cluster.node(preemption.candidates[preemption.best[0]].node).name, "b");
}

}  // namespace
}  // namespace berth::scheduling
