// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/explanation.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduling/scheduling_objects.hpp"

namespace berth::scheduling {
namespace {

NodeExplanation explained(Cluster& cluster, const api::Pod& pod, const char* node) {
  Scheduler scheduler(cluster, {});
  scheduler.decide(pod);
  return explain(scheduler, *cluster.find_node(node));
}

TEST(Explanation, a_node_that_could_take_the_pod_needs_none) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  EXPECT_EQ(explained(cluster, a_pod("q"), "a").status, Status{});
}

TEST(Explanation, what_is_short_comes_with_its_amounts_nominated_pods_included) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("p", "1"), "a");
  cluster.nominate(cluster.compile(a_pod("n", "2", 5)).info, "a");
  const NodeExplanation explanation = explained(cluster, a_pod("q", "1500m"), "a");
  EXPECT_EQ(explanation.shortages,
            (std::vector<Shortage>{
                {.resource = "cpu", .requested = 1500, .used = 3000, .capacity = 4000}}));
}

TEST(Explanation, the_taint_and_the_port_are_named) {
  Cluster cluster;
  api::Node tainted = a_node("a");
  tainted.spec.taints = {{.key = "k", .value = "v", .effect = "NoSchedule"}};
  cluster.set_node(tainted);
  cluster.set_node(a_node("b"));
  api::Pod pod = a_pod("p");
  pod.spec.containers[0].ports = {{.hostPort = 80}};
  place(cluster, pod, "b");
  pod.metadata.uid = "q";
  EXPECT_EQ(explained(cluster, pod, "a").taint->key, "k");
  EXPECT_EQ(explained(cluster, pod, "b").port->port, 80);
}

TEST(Explanation, a_constraint_comes_with_its_counts) {
  Cluster cluster;
  cluster.set_node(a_node("a", "z1"));
  cluster.set_node(a_node("b", "z2"));
  place(cluster, a_pod("p"), "a");
  api::Pod pod = a_pod("q");
  pod.spec.topologySpreadConstraints = {
      {.maxSkew = 1,
       .topologyKey = "topology.kubernetes.io/zone",
       .whenUnsatisfiable = "DoNotSchedule",
       .labelSelector = api::LabelSelector{.matchLabels = {{"app", "web"}}}}};
  const NodeExplanation explanation = explained(cluster, pod, "a");
  ASSERT_TRUE(explanation.spread.has_value());
  EXPECT_EQ(explanation.spread->domain, "z1");
  EXPECT_EQ(explanation.spread->figures.count, 1);
  EXPECT_EQ(explanation.spread->figures.self, 1);
  EXPECT_EQ(explanation.spread->figures.minimum, 0);
}

TEST(Explanation, affinity_is_named_by_the_key_that_is_not_met) {
  Cluster cluster;
  cluster.set_node(a_node("a", "z1"));
  cluster.set_node(a_node("b", "z2"));
  place(cluster, a_pod("p"), "a");
  api::Pod pod = a_pod("q");
  api::PodAffinity affinity;
  affinity.requiredDuringSchedulingIgnoredDuringExecution = {
      {.labelSelector = api::LabelSelector{.matchLabels = {{"app", "web"}}},
       .topologyKey = "topology.kubernetes.io/zone"}};
  pod.spec.affinity = api::Affinity{.podAffinity = affinity};
  const NodeExplanation explanation = explained(cluster, pod, "b");
  ASSERT_TRUE(explanation.pod_affinity.has_value());
  EXPECT_EQ(explanation.pod_affinity->topology_key, "topology.kubernetes.io/zone");
  EXPECT_EQ(explanation.pod_affinity->domain, "z2");
}

}  // namespace
}  // namespace berth::scheduling
