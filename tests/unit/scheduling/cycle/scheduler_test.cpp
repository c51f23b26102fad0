// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/scheduler.hpp"

#include <algorithm>
#include <type_traits>

#include <gtest/gtest.h>

#include "scheduling/cycle/failure_text.hpp"
#include "tests/unit/scheduling/scheduling_objects.hpp"

namespace berth::scheduling {
namespace {

using Names = std::vector<std::string>;

api::LabelSelector of_app() {
  return {.matchLabels = {{"app", "web"}}};
}

TEST(Scheduler, the_node_with_more_room_is_best) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  cluster.set_node(a_node("b"));
  place(cluster, a_pod("p"), "a");
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q");
  const Decision decision = scheduler.decide(pod);
  EXPECT_EQ(decision.outcome, Decision::Outcome::kPlaced);
  EXPECT_EQ(names_of(cluster, decision.best), Names{"b"});
  EXPECT_EQ(decision.feasible, 2U);
}

TEST(Scheduler, a_single_node_is_taken_without_a_score) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  Scheduler scheduler(cluster, {});
  api::Pod pod = a_pod("q");
  // The scheduler cannot score this affinity.
  api::NodeAffinity affinity;
  affinity.preferredDuringSchedulingIgnoredDuringExecution = {
      {.weight = 1,
       .preference = {.matchExpressions = {{.key = "x", .operator_ = "Gt", .values = {"four"}}}}}};
  pod.spec.affinity = api::Affinity{.nodeAffinity = affinity};
  Decision decision = scheduler.decide(pod);
  EXPECT_EQ(names_of(cluster, decision.best), Names{"a"});
  EXPECT_FALSE(decision.total.has_value());
  cluster.set_node(a_node("b"));
  decision = scheduler.decide(pod);
  EXPECT_EQ(decision.outcome, Decision::Outcome::kError);
  EXPECT_TRUE(decision.message.starts_with("running PreScore plugin \"NodeAffinity\": "));
}

TEST(Scheduler, failure_counts_the_reasons_sorted_as_text) {
  Cluster cluster;
  for (int i = 0; i < 12; ++i) cluster.set_node(a_node("n" + std::to_string(i)));
  for (int i = 0; i < 10; ++i)
    place(cluster, a_pod("p" + std::to_string(i), "4"), "n" + std::to_string(i));
  for (const char* name : {"n10", "n11"}) {
    api::Node node = a_node(name);
    node.spec.unschedulable = true;
    cluster.set_node(node);
  }
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q");
  const Decision decision = scheduler.decide(pod);
  EXPECT_EQ(decision.outcome, Decision::Outcome::kUnschedulable);
  EXPECT_EQ(decision.message,
            "0/12 nodes are available: 10 Insufficient cpu, 2 node(s) were unschedulable.");
}

TEST(Scheduler, without_nodes_it_is_an_error) {
  Cluster cluster;
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q");
  EXPECT_EQ(scheduler.decide(pod).message, "no nodes available to schedule pods");
}

TEST(Scheduler, what_is_decided_follows_each_change) {
  Cluster cluster;
  for (const auto& [name, zone] : {std::pair{"a", "z1"}, {"b", "z2"}}) {
    cluster.set_node(a_node(name, zone));
  }
  Scheduler scheduler(cluster, {});
  api::Pod pod = a_pod("q");
  pod.spec.topologySpreadConstraints = {{.maxSkew = 1,
                                         .topologyKey = "topology.kubernetes.io/zone",
                                         .whenUnsatisfiable = "DoNotSchedule",
                                         .labelSelector = of_app()}};
  EXPECT_EQ(scheduler.decide(pod).feasible, 2U);
  place(cluster, a_pod("p"), "a");
  EXPECT_EQ(scheduler.decide(pod).feasible, 1U);
  EXPECT_EQ(names_of(cluster, scheduler.decide(pod).best), Names{"b"});
  cluster.remove_node("b");
  EXPECT_EQ(names_of(cluster, scheduler.decide(pod).best), Names{"a"});
  cluster.set_node(a_node("c", "z3"));
  EXPECT_EQ(names_of(cluster, scheduler.decide(pod).best), Names{"c"});
  cluster.remove_pod("p");
  EXPECT_EQ(scheduler.decide(pod).feasible, 2U);
}

TEST(Scheduler, anti_affinity_of_who_is_there_binds_who_comes) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  cluster.set_node(a_node("b"));
  api::Pod loner = a_pod("loner", "100m");
  api::PodAntiAffinity anti;
  anti.requiredDuringSchedulingIgnoredDuringExecution = {
      {.labelSelector = of_app(), .topologyKey = "kubernetes.io/hostname"}};
  loner.spec.affinity = api::Affinity{.podAntiAffinity = anti};
  place(cluster, loner, "a");
  Scheduler scheduler(cluster, {});
  api::Pod pod = a_pod("q");
  EXPECT_EQ(names_of(cluster, scheduler.decide(pod).best), Names{"b"});
  ASSERT_EQ(scheduler.rejected().size(), 1U);
  EXPECT_EQ(scheduler.filtering().status_of(scheduler.rejected()[0]).reasons,
            Names{"node(s) didn't satisfy existing pods anti-affinity rules"});
  pod.metadata.labels = {{"app", "db"}};
  EXPECT_EQ(scheduler.decide(pod).feasible, 2U);
}

TEST(Scheduler, nominated_pods_of_no_lower_priority_hold_their_place) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  cluster.nominate(cluster.compile(a_pod("n", "4", 10)).info, "a");
  Scheduler scheduler(cluster, {});
  const api::Pod lesser = a_pod("q", "1", 10);
  EXPECT_EQ(scheduler.decide(lesser).message, "0/1 nodes are available: 1 Insufficient cpu.");
  const api::Pod greater = a_pod("q", "1", 11);
  EXPECT_EQ(scheduler.decide(greater).outcome, Decision::Outcome::kPlaced);
}

TEST(Scheduler, a_sampled_search_goes_on_where_the_last_one_ended) {
  Cluster cluster;
  for (int i = 0; i < 300; ++i) cluster.set_node(a_node("n" + std::to_string(i)));
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q");
  const Decision first = scheduler.decide(pod);
  EXPECT_EQ(first.feasible, 144U);  // 48 percent
  EXPECT_EQ(first.next_start, 144U);
  EXPECT_EQ(scheduler.decide(pod, first.next_start).next_start, 288U);
  EXPECT_EQ(cluster.node(scheduler.feasible().front()).name, "n144");
}

TEST(Scheduler, more_columns_than_are_kept_change_nothing) {
  Cluster cluster;
  for (const char* name : {"a", "b"}) cluster.set_node(a_node(name));
  place(cluster, a_pod("p"), "a");
  Scheduler scheduler(cluster, {});
  // One pod needs more columns of every kind than are kept, and many others each need a new one.
  api::Pod greedy = a_pod("q");
  for (int i = 0; i < 700; ++i) {
    greedy.spec.topologySpreadConstraints.push_back(
        {.maxSkew = 1,
         .topologyKey = i == 0 ? "kubernetes.io/hostname" : "key-" + std::to_string(i),
         .whenUnsatisfiable = i == 0 ? "DoNotSchedule" : "ScheduleAnyway",
         .labelSelector = api::LabelSelector{.matchLabels = {{"x", std::to_string(i)}}}});
  }
  greedy.spec.topologySpreadConstraints[0].labelSelector = of_app();
  EXPECT_EQ(names_of(cluster, scheduler.decide(greedy).best), Names{"b"});
  for (int i = 0; i < 1200; ++i) {
    api::Pod pod = a_pod("r", "100m");
    pod.metadata.labels["n"] = std::to_string(i);
    pod.spec.containers[0].resources.requests["memory"] = api::Quantity::from_int(i);
    EXPECT_EQ(names_of(cluster, scheduler.decide(pod).best), Names{"b"});
  }
  EXPECT_EQ(names_of(cluster, scheduler.decide(greedy).best), Names{"b"});
}

TEST(Scheduler, preferences_that_cannot_be_parsed_are_an_error_without_pre_score_as_well) {
  Cluster cluster;
  for (const char* name : {"a", "b"}) cluster.set_node(a_node(name));
  Profile profile;
  profile.pre_scores.erase(Plugin::kNodeAffinity);
  api::Pod pod = a_pod("q");
  pod.spec.affinity.emplace().nodeAffinity.emplace() = {
      .preferredDuringSchedulingIgnoredDuringExecution = {
          {.weight = 1,
           .preference = {
               .matchExpressions = {{.key = "x", .operator_ = "Gt", .values = {"four"}}}}}}};
  Scheduler scheduler(cluster, profile);
  const Decision decision = scheduler.decide(pod);
  EXPECT_EQ(decision.outcome, Decision::Outcome::kError);
  EXPECT_TRUE(decision.message.starts_with(
      "running Score plugins: plugin \"NodeAffinity\" failed with: [0].matchExpressions"))
      << decision.message;
  profile.scores.erase(Plugin::kNodeAffinity);
  Scheduler without(cluster, profile);
  EXPECT_EQ(without.decide(pod).outcome, Decision::Outcome::kPlaced);
}

TEST(Scheduler, a_node_that_is_only_nominated_for_is_absent) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  Scheduler scheduler(cluster, {});
  const api::Pod pod = a_pod("q");
  scheduler.decide(pod);
  cluster.nominate(cluster.compile(a_pod("n")).info, "ghost");
  scheduler.decide(pod);
  ASSERT_EQ(scheduler.filtering().rejections().size(), 2U);
  EXPECT_NE(scheduler.filtering().rejections()[1] & bit_of(Rejection::kAbsent), 0);
}

TEST(Scheduler, a_pod_that_is_rejected_before_nodes_are_looked_at_says_nothing_of_them) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  cluster.nominate(cluster.compile(a_pod("n", "4", 10)).info, "a");
  Scheduler scheduler(cluster, {});
  api::Pod pod = a_pod("q");
  pod.spec.affinity.emplace()
      .nodeAffinity.emplace()
      .requiredDuringSchedulingIgnoredDuringExecution = api::NodeSelector{
      .nodeSelectorTerms = {
          {.matchFields = {{.key = "metadata.name", .operator_ = "In", .values = {"a"}},
                           {.key = "metadata.name", .operator_ = "In", .values = {"b"}}}}}};
  EXPECT_EQ(scheduler.decide(pod).message, "0/1 nodes are available: pod affinity terms conflict.");
  EXPECT_EQ(scheduler.filtering().status_of(0).code, StatusCode::kSuccess);
}

TEST(Scheduler, one_pod_may_ask_for_more_columns_than_are_kept) {
  Cluster cluster;
  for (const char* name : {"a", "b"}) cluster.set_node(a_node(name));
  place(cluster, a_pod("p"), "a");
  Scheduler scheduler(cluster, {});
  api::Pod pod = a_pod("q");
  // The first constraint decides, long after its columns were created.
  for (int i = 0; i < 300; ++i) {
    pod.spec.topologySpreadConstraints.push_back(
        {.maxSkew = 1,
         .topologyKey = "kubernetes.io/hostname",
         .whenUnsatisfiable = "DoNotSchedule",
         .labelSelector =
             i == 0 ? of_app() : api::LabelSelector{.matchLabels = {{"x", std::to_string(i)}}}});
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(names_of(cluster, scheduler.decide(pod).best), Names{"b"});
  }
}

// A cluster with a long history holds no more than a new one, and decides the same.
TEST(Scheduler, what_belonged_to_pods_that_are_gone_is_dropped) {
  Cluster cluster;
  for (const auto& [name, zone] : {std::pair{"a", "z1"}, {"b", "z2"}}) {
    cluster.set_node(a_node(name, zone));
  }
  api::Pod guard = a_pod("guard", "100m");
  guard.spec.affinity.emplace().podAntiAffinity.emplace() = {
      .requiredDuringSchedulingIgnoredDuringExecution = {
          {.labelSelector = of_app(), .topologyKey = "topology.kubernetes.io/zone"}}};
  guard.metadata.labels = {{"app", "guard"}};
  place(cluster, guard, "a");
  Scheduler scheduler(cluster, {});
  const api::Pod web = a_pod("web");
  EXPECT_EQ(names_of(cluster, scheduler.decide(web).best), Names{"b"});
  std::size_t most = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string number = std::to_string(i);
    api::Pod pod = a_pod("p", "100m");
    pod.metadata.labels = {{"number", number}};
    if (i % 10 == 0) {
      pod.spec.topologySpreadConstraints = {
          {.maxSkew = 1,
           .topologyKey = "kubernetes.io/hostname",
           .whenUnsatisfiable = "DoNotSchedule",
           .labelSelector = api::LabelSelector{.matchLabels = {{"number", number}}}}};
      pod.spec.affinity = guard.spec.affinity;
      pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution[0]
          .labelSelector = api::LabelSelector{.matchLabels = {{"number", "not-" + number}}};
      ASSERT_EQ(scheduler.decide(pod).feasible, 2U);
      cluster.add_pod(scheduler.pod().info, i % 20 == 0 ? "a" : "b");
      ASSERT_EQ(scheduler.decide(web).feasible, 1U);
    } else {
      place(cluster, pod, "a");
    }
    cluster.remove_pod("p");
    most = std::max(most, cluster.held());
  }
  EXPECT_LT(most, 1500U);
  EXPECT_EQ(names_of(cluster, scheduler.decide(web).best), Names{"b"});
}

TEST(Scheduler, label_values_that_nodes_had_are_dropped) {
  Topologies topologies;
  Cluster cluster;
  const NameId key = cluster.vocabulary().name("number");
  api::Node node = a_node("a");
  // The empty value is there from the start.
  for (std::size_t i = 1; i <= Topologies::most_domains(1); ++i) {
    EXPECT_FALSE(topologies.holds_too_much(1));
    node.metadata.labels["number"] = std::to_string(i);
    cluster.set_node(node);
    static_cast<void>(topologies.of(cluster, key));
  }
  EXPECT_TRUE(topologies.holds_too_much(1));
  topologies.clear();
  EXPECT_FALSE(topologies.holds_too_much(1));
}

// The scheduler's members refer to one another.
static_assert(!std::is_copy_constructible_v<Scheduler> && !std::is_move_constructible_v<Scheduler>);

TEST(Scheduler, what_an_event_says_is_cut) {
  EXPECT_EQ(event_text("short"), "short");
  const std::string text = event_text(std::string(2000, 'x'));
  EXPECT_EQ(text.size(), 1024U);
  EXPECT_TRUE(text.ends_with("x ..."));
}

}  // namespace
}  // namespace berth::scheduling
