// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/cluster.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduling/scheduling_objects.hpp"

namespace berth::scheduling {
namespace {

TEST(Cluster, a_node_carries_what_its_pods_request) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  place(cluster, a_pod("p", "500m"), "a");
  place(cluster, a_pod("q", "250m"), "a");
  const NodeInfo& node = cluster.node(*cluster.find_node("a"));
  EXPECT_EQ(node.usage.requested.milli_cpu, 750);
  EXPECT_EQ(node.usage.pods, 2);
  cluster.remove_pod("p");
  EXPECT_EQ(node.usage.requested.milli_cpu, 250);
  EXPECT_EQ(node.pods.size(), 1U);
}

TEST(Cluster, a_pod_that_is_added_again_is_there_once) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  cluster.set_node(a_node("b"));
  place(cluster, a_pod("p"), "a");
  place(cluster, a_pod("p", "2"), "b");
  EXPECT_EQ(cluster.node(*cluster.find_node("a")).usage.pods, 0);
  EXPECT_EQ(cluster.node(*cluster.find_node("b")).usage.requested.milli_cpu, 2000);
}

TEST(Cluster, pods_may_come_before_their_node) {
  Cluster cluster;
  place(cluster, a_pod("p"), "a");
  EXPECT_FALSE(cluster.find_node("a").has_value());
  EXPECT_TRUE(cluster.node_order().empty());
  cluster.set_node(a_node("a"));
  EXPECT_EQ(cluster.node(*cluster.find_node("a")).usage.pods, 1);
  cluster.remove_node("a");
  EXPECT_TRUE(cluster.node_order().empty());
}

TEST(Cluster, nodes_are_looked_at_zone_by_zone_in_turn) {
  Cluster cluster;
  for (const auto& [name, zone] : {std::pair{"a", "z1"}, {"b", "z1"}, {"c", "z2"}, {"d", "z1"}}) {
    cluster.set_node(a_node(name, zone));
  }
  EXPECT_EQ(names_of(cluster, cluster.node_order()),
            (std::vector<std::string>{"a", "c", "b", "d"}));
}

TEST(Cluster, containers_that_state_nothing_count_a_little_for_scores_alone) {
  Cluster cluster;
  api::Pod pod = a_pod("p");
  pod.spec.containers[0].resources.requests = {{"cpu", quantity("0")}};
  const PodInfo info = cluster.compile(pod).info;
  EXPECT_EQ(info.requests.memory, 0);
  EXPECT_EQ(info.nonzero_milli_cpu, 0);
  EXPECT_EQ(info.nonzero_memory, 200 * 1024 * 1024);
}

TEST(Cluster, an_unchanged_node_is_no_change) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  const auto before = cluster.object_changes().end();
  cluster.set_node(a_node("a"));
  EXPECT_EQ(cluster.object_changes().end(), before);
  cluster.set_node(a_node("a", "z2"));
  EXPECT_EQ(cluster.object_changes().end(), before + 1);
}

TEST(Cluster, a_port_is_taken_as_long_as_any_pod_has_it) {
  Cluster cluster;
  cluster.set_node(a_node("a"));
  api::Pod pod = a_pod("p");
  pod.spec.containers[0].ports = {{.hostPort = 80}};
  place(cluster, pod, "a");
  pod.metadata.uid = "q";
  place(cluster, pod, "a");
  cluster.remove_pod("p");
  EXPECT_EQ(cluster.node(*cluster.find_node("a")).usage.ports.size(), 1U);
}

TEST(Vocabulary, label_sets_are_distinguished_whatever_their_texts_hold) {
  Vocabulary vocabulary;
  using namespace std::string_literals;
  EXPECT_NE(vocabulary.label_set({{"a", "b\0c\0d"s}}),
            vocabulary.label_set({{"a", "b"}, {"c", "d"}}));
}

api::Pod owned_pod(const char* version, const char* kind) {
  api::Pod pod = a_pod("p");
  pod.metadata.ownerReferences = {
      {.apiVersion = version, .kind = kind, .name = "owner", .controller = true}};
  return pod;
}

TEST(SelectorSources, pairs_of_a_replication_controller_replace_those_of_services) {
  SelectorSources sources;
  sources.set_service("default", "s", {{"app", "web"}});
  sources.set_controller({.apiVersion = "v1",
                          .kind = "ReplicationController",
                          .namespace_ = "default",
                          .name = "owner",
                          .selector = Labels{{"app", "db"}, {"tier", "back"}}});
  EXPECT_EQ(sources.selector_for(owned_pod("v1", "ReplicationController")),
            LabelSelector::of_pairs({{"app", "db"}, {"tier", "back"}}));
  EXPECT_EQ(sources.selector_for(a_pod("p")), LabelSelector::of_pairs({{"app", "web"}}));
}

TEST(SelectorSources, label_selector_of_a_controller_counts_only_if_it_is_there_and_sound) {
  const api::LabelSelector sound{.matchLabels = {{"app", "db"}}};
  const api::LabelSelector broken{.matchExpressions = {{.key = "app", .operator_ = "Near"}}};
  LabelSelector both = LabelSelector::of_pairs({{"app", "web"}});
  const LabelSelector service = both;
  both.narrow(*LabelSelector::compile(sound));
  for (const auto& [stated, expected] : {std::pair(std::optional(sound), both),
                                         {std::optional(broken), service},
                                         {std::optional<api::LabelSelector>(), service}}) {
    SelectorSources sources;
    sources.set_service("default", "s", {{"app", "web"}});
    sources.set_controller({.apiVersion = "apps/v1",
                            .kind = "ReplicaSet",
                            .namespace_ = "default",
                            .name = "owner",
                            .selector = stated});
    EXPECT_EQ(sources.selector_for(owned_pod("apps/v1", "ReplicaSet")), expected);
  }
}

TEST(ChangeLog, who_fell_behind_begins_anew) {
  ChangeLog log;
  EXPECT_FALSE(log.since(0).has_value());
  const auto start = log.end();
  log.append(3, 10);
  ASSERT_TRUE(log.since(start).has_value());
  EXPECT_EQ(log.since(start)->size(), 1U);
  for (int i = 0; i < 10000; ++i) log.append(1, 10);
  EXPECT_FALSE(log.since(start).has_value());
  EXPECT_TRUE(log.since(log.end())->empty());
}

TEST(NodeUsageDeathTest, a_pod_never_leaves_a_node_that_it_is_not_on) {
  PodInfo pod;
  pod.key = "u1";
  NodeUsage usage;
  usage.add(pod);
  usage.remove(pod);
  EXPECT_DEATH(usage.remove(pod), "a pod leaves a node that it is on: u1 ");
}

}  // namespace
}  // namespace berth::scheduling
