// SPDX-License-Identifier: Apache-2.0

#include "scheduling/queue/requeue_hint.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scheduling/queue/queue_test_support.hpp"

namespace berth::scheduling {
namespace {

bool helps(const api::Pod& pod, const std::string& plugin, const ClusterEvent& event,
           const HintArguments& arguments = {}) {
  return worth_requeuing(pod, needs_of(pod), {plugin}, event, arguments).has_value();
}

bool any_helps(const api::Pod& pod, const std::string& plugin,
               const std::vector<ClusterEvent>& events) {
  return std::ranges::any_of(events,
                             [&](const ClusterEvent& event) { return helps(pod, plugin, event); });
}

ClusterEvent added(const api::Node& node) {
  return node_added(shared(node));
}

bool update_helps(const api::Pod& pod, const std::string& plugin, const api::Node& before,
                  const api::Node& after) {
  return any_helps(pod, plugin, node_updated(shared(before), shared(after)));
}

bool update_helps(const api::Pod& pod, const std::string& plugin, const api::Pod& before,
                  const api::Pod& after) {
  return any_helps(pod, plugin, pod_updated(shared(before), shared(after)));
}

api::Node tainted(const std::string& key) {
  api::Node node = node_named("n1");
  node.spec.taints = {{.key = key, .effect = "NoSchedule"}};
  return node;
}

api::Node labelled(const std::string& key, const std::string& value) {
  api::Node node = node_named("n1");
  node.metadata.labels[key] = value;
  return node;
}

api::LabelSelector selecting(const std::string& value) {
  return {.matchLabels = {{"app", value}}};
}

api::Pod placed_app(const std::string& value) {
  api::Pod pod = placed_pod("other");
  pod.metadata.labels["app"] = value;
  return pod;
}

TEST(RequeueHint, new_node_helps_where_it_suits_the_pod) {
  api::Pod pod = waiting_pod("a");
  pod.spec.nodeSelector = {{"disk", "ssd"}};
  pod.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(2);
  api::Pod large = pod;
  large.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(3);
  api::Node closed = node_named("n1");
  closed.spec.unschedulable = true;
  EXPECT_TRUE(helps(pod, "NodeName", added(closed)));
  EXPECT_TRUE(helps(pod, "NodePorts", added(closed)));
  EXPECT_TRUE(helps(pod, "NodeUnschedulable", added(node_named("n1"))));
  EXPECT_FALSE(helps(pod, "NodeUnschedulable", added(closed)));
  EXPECT_TRUE(helps(pod, "TaintToleration", added(node_named("n1"))));
  EXPECT_FALSE(helps(pod, "TaintToleration", added(tainted("k"))));
  EXPECT_TRUE(helps(pod, "NodeAffinity", added(labelled("disk", "ssd"))));
  EXPECT_FALSE(helps(pod, "NodeAffinity", added(node_named("n1"))));
  EXPECT_TRUE(helps(pod, "NodeResourcesFit", added(node_named("n1"))));
  EXPECT_FALSE(helps(large, "NodeResourcesFit", added(node_named("n1"))));
}

TEST(RequeueHint, added_affinity_of_the_profile_is_asked_as_well) {
  const api::Pod pod = waiting_pod("a");
  HintArguments arguments;
  arguments.added_affinity.emplace(api::NodeSelector{
      .nodeSelectorTerms = {
          {.matchExpressions = {{.key = "pool", .operator_ = "In", .values = {"blue"}}}}}});
  EXPECT_TRUE(helps(pod, "NodeAffinity", added(labelled("pool", "blue")), arguments));
  EXPECT_FALSE(helps(pod, "NodeAffinity", added(labelled("pool", "red")), arguments));
}

TEST(RequeueHint, node_affinity_that_cannot_be_parsed_is_tried_again_unless_a_term_matched) {
  const api::NodeSelectorTerm broken{
      .matchExpressions = {{.key = "cores", .operator_ = "Gt", .values = {"four"}}}};
  const api::NodeSelectorTerm ssd{
      .matchExpressions = {{.key = "disk", .operator_ = "In", .values = {"ssd"}}}};
  api::Pod pod = waiting_pod("a");
  pod.spec.affinity.emplace()
      .nodeAffinity.emplace()
      .requiredDuringSchedulingIgnoredDuringExecution =
      api::NodeSelector{.nodeSelectorTerms = {broken, ssd}};
  EXPECT_TRUE(helps(pod, "NodeAffinity", added(node_named("n1"))));
  EXPECT_TRUE(helps(pod, "NodeAffinity", added(labelled("disk", "ssd"))));
  EXPECT_TRUE(update_helps(pod, "NodeAffinity", labelled("disk", "ssd"), node_named("n1")));
  api::Node both = labelled("disk", "ssd");
  both.metadata.labels["other"] = "x";
  EXPECT_FALSE(update_helps(pod, "NodeAffinity", labelled("disk", "ssd"), both));
  pod.spec.nodeSelector = {{"pool", "blue"}};
  EXPECT_FALSE(helps(pod, "NodeAffinity", added(node_named("n1"))));
}

TEST(RequeueHint, changed_node_helps_where_it_became_suitable) {
  api::Pod pod = waiting_pod("a");
  pod.spec.nodeSelector = {{"disk", "ssd"}};
  pod.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(1);
  const api::Node plain = node_named("n1");
  api::Node closed = plain;
  closed.spec.unschedulable = true;
  api::Node more_cpu = plain;
  more_cpu.status.allocatable["cpu"] = api::Quantity::from_int(8);
  api::Node more_memory = plain;
  more_memory.status.allocatable["memory"] = *api::Quantity::parse("8Gi");
  api::Node more_pods = plain;
  more_pods.status.allocatable["pods"] = api::Quantity::from_int(11);
  EXPECT_TRUE(update_helps(pod, "NodeUnschedulable", closed, plain));
  EXPECT_FALSE(update_helps(pod, "NodeUnschedulable", plain, closed));
  EXPECT_TRUE(update_helps(pod, "TaintToleration", tainted("k"), plain));
  EXPECT_FALSE(update_helps(pod, "TaintToleration", plain, tainted("k")));
  EXPECT_TRUE(update_helps(pod, "NodeAffinity", plain, labelled("disk", "ssd")));
  EXPECT_FALSE(update_helps(pod, "NodeAffinity", labelled("disk", "ssd"), plain));
  EXPECT_TRUE(update_helps(pod, "NodeResourcesFit", plain, more_cpu));
  EXPECT_FALSE(update_helps(pod, "NodeResourcesFit", more_cpu, plain));
  EXPECT_FALSE(update_helps(pod, "NodeResourcesFit", plain, more_memory));
  EXPECT_TRUE(update_helps(pod, "NodeResourcesFit", plain, more_pods));
}

TEST(RequeueHint, changed_taints_ask_every_plugin_that_waits_for_nodes_again) {
  const api::Pod pod = waiting_pod("a");
  for (const char* plugin :
       {"NodeName", "NodePorts", "NodeAffinity", "NodeResourcesFit", "InterPodAffinity"}) {
    EXPECT_TRUE(update_helps(pod, plugin, node_named("n1"), tainted("k"))) << plugin;
  }
  EXPECT_FALSE(update_helps(pod, "TaintToleration", node_named("n1"), tainted("k")));
  EXPECT_FALSE(update_helps(pod, "DefaultPreemption", node_named("n1"), tainted("k")));
}

TEST(RequeueHint, own_change_helps_only_the_pod_itself) {
  api::Pod pod = waiting_pod("a");
  pod.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(2);
  api::Pod tolerant = pod;
  tolerant.spec.tolerations = {{.key = "k", .operator_ = "Exists"}};
  api::Pod all_tolerant = pod;
  all_tolerant.spec.tolerations = {{.operator_ = "Exists"}};
  api::Pod smaller = pod;
  smaller.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(1);
  EXPECT_TRUE(update_helps(tolerant, "TaintToleration", pod, tolerant));
  EXPECT_FALSE(update_helps(tolerant, "NodeUnschedulable", pod, tolerant));
  EXPECT_TRUE(update_helps(all_tolerant, "NodeUnschedulable", pod, all_tolerant));
  EXPECT_TRUE(update_helps(smaller, "NodeResourcesFit", pod, smaller));
  const api::Pod stranger = waiting_pod("b");
  EXPECT_FALSE(update_helps(stranger, "TaintToleration", pod, tolerant));
  EXPECT_FALSE(update_helps(stranger, "NodeUnschedulable", pod, all_tolerant));
  EXPECT_FALSE(update_helps(stranger, "NodeResourcesFit", pod, smaller));
}

TEST(RequeueHint, pod_that_leaves_frees_its_ports_and_resources) {
  const auto with_port = [](api::Pod pod, std::int32_t port) {
    pod.spec.containers[0].ports = {{.hostPort = port, .containerPort = 80}};
    return pod;
  };
  const api::Pod pod = with_port(waiting_pod("a"), 80);
  const auto gone = [](const api::Pod& other) { return assigned_pod_deleted(shared(other)); };
  EXPECT_TRUE(helps(pod, "NodePorts", gone(with_port(placed_pod("b"), 80))));
  EXPECT_FALSE(helps(pod, "NodePorts", gone(with_port(placed_pod("b"), 81))));
  EXPECT_TRUE(helps(pod, "NodeResourcesFit", gone(placed_pod("b"))));
  api::Pod nominated = waiting_pod("b");
  EXPECT_FALSE(helps(pod, "NodeResourcesFit", gone(nominated)));
  nominated.status.nominatedNodeName = "n1";
  EXPECT_TRUE(helps(pod, "NodeResourcesFit", gone(nominated)));
}

TEST(RequeueHint, placed_pod_that_shrinks_helps_in_what_the_pod_asks_for) {
  api::Pod pod = waiting_pod("a");
  pod.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(2);
  api::Pod before = placed_pod("b");
  before.spec.containers[0].resources.requests = {{"cpu", api::Quantity::from_int(2)},
                                                  {"memory", api::Quantity::from_int(100)}};
  api::Pod less_cpu = before;
  less_cpu.spec.containers[0].resources.requests["cpu"] = api::Quantity::from_int(1);
  api::Pod less_memory = before;
  less_memory.spec.containers[0].resources.requests["memory"] = api::Quantity::from_int(1);
  EXPECT_TRUE(update_helps(pod, "NodeResourcesFit", before, less_cpu));
  EXPECT_FALSE(update_helps(pod, "NodeResourcesFit", before, less_memory));
}

api::Pod spread_pod(const std::string& taints_policy = "Ignore") {
  api::Pod pod = waiting_pod("a");
  pod.spec.topologySpreadConstraints = {{.maxSkew = 1,
                                         .topologyKey = "zone",
                                         .whenUnsatisfiable = "DoNotSchedule",
                                         .labelSelector = selecting("web"),
                                         .nodeTaintsPolicy = taints_policy}};
  return pod;
}

TEST(RequeueHint, spread_looks_at_pods_that_it_counts) {
  const api::Pod pod = spread_pod();
  api::Pod elsewhere = placed_app("web");
  elsewhere.metadata.namespace_ = "other";
  EXPECT_TRUE(helps(pod, "PodTopologySpread", assigned_pod_added(shared(placed_app("web")))));
  EXPECT_TRUE(helps(pod, "PodTopologySpread", assigned_pod_deleted(shared(placed_app("web")))));
  EXPECT_FALSE(helps(pod, "PodTopologySpread", assigned_pod_added(shared(placed_app("db")))));
  EXPECT_FALSE(helps(pod, "PodTopologySpread", assigned_pod_added(shared(elsewhere))));
  EXPECT_TRUE(update_helps(pod, "PodTopologySpread", placed_app("db"), placed_app("web")));
  EXPECT_FALSE(update_helps(pod, "PodTopologySpread", placed_app("db"), placed_app("cache")));
}

TEST(RequeueHint, spread_does_not_count_pods_without_a_node) {
  const api::Pod pod = spread_pod();
  api::Pod nominated = waiting_pod("other");
  nominated.metadata.labels["app"] = "web";
  EXPECT_FALSE(helps(pod, "PodTopologySpread", assigned_pod_deleted(shared(nominated))));
  api::Pod relabelled = nominated;
  relabelled.metadata.labels["app"] = "db";
  EXPECT_FALSE(update_helps(pod, "PodTopologySpread", relabelled, nominated));
  api::Pod own = pod;
  own.metadata.labels["app"] = "web";
  EXPECT_TRUE(update_helps(own, "PodTopologySpread", pod, own));
}

TEST(RequeueHint, spread_looks_at_nodes_that_have_its_keys) {
  const api::Pod pod = spread_pod();
  const api::Node keyless = node_named("n1");
  const api::Node in_a = labelled("zone", "a");
  api::Node tainted_a = in_a;
  tainted_a.spec.taints = {{.key = "k", .effect = "NoSchedule"}};
  EXPECT_TRUE(helps(pod, "PodTopologySpread", added(in_a)));
  EXPECT_FALSE(helps(pod, "PodTopologySpread", added(keyless)));
  EXPECT_TRUE(helps(pod, "PodTopologySpread", node_deleted(shared(in_a))));
  EXPECT_FALSE(helps(pod, "PodTopologySpread", node_deleted(shared(keyless))));
  EXPECT_TRUE(update_helps(pod, "PodTopologySpread", in_a, keyless));
  EXPECT_TRUE(update_helps(pod, "PodTopologySpread", in_a, labelled("zone", "b")));
  EXPECT_TRUE(update_helps(pod, "PodTopologySpread", in_a, tainted_a));
  EXPECT_FALSE(update_helps(pod, "PodTopologySpread", keyless, tainted("k")));
}

TEST(RequeueHint, own_toleration_helps_spread_that_honors_taints) {
  for (const auto& [policy, expected] : {std::pair("Honor", true), std::pair("Ignore", false)}) {
    const api::Pod pod = spread_pod(policy);
    api::Pod tolerant = pod;
    tolerant.spec.tolerations = {{.key = "k", .operator_ = "Exists"}};
    EXPECT_EQ(update_helps(tolerant, "PodTopologySpread", pod, tolerant), expected) << policy;
  }
}

api::Pod affine_pod() {
  api::Pod pod = waiting_pod("a");
  pod.spec.affinity.emplace();
  pod.spec.affinity->podAffinity.emplace();
  pod.spec.affinity->podAffinity->requiredDuringSchedulingIgnoredDuringExecution = {
      {.labelSelector = selecting("web"), .topologyKey = "zone"}};
  pod.spec.affinity->podAntiAffinity.emplace();
  pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution = {
      {.labelSelector = selecting("db"), .topologyKey = "rack"}};
  return pod;
}

TEST(RequeueHint, affinity_waits_for_pods_to_come_and_for_others_to_go) {
  const api::Pod pod = affine_pod();
  const auto came = [](const char* app) { return assigned_pod_added(shared(placed_app(app))); };
  const auto went = [](const char* app) { return assigned_pod_deleted(shared(placed_app(app))); };
  EXPECT_TRUE(helps(pod, "InterPodAffinity", came("web")));
  EXPECT_FALSE(helps(pod, "InterPodAffinity", came("db")));
  EXPECT_TRUE(helps(pod, "InterPodAffinity", went("db")));
  EXPECT_FALSE(helps(pod, "InterPodAffinity", went("web")));
  EXPECT_TRUE(update_helps(pod, "InterPodAffinity", placed_app("x"), placed_app("web")));
  EXPECT_TRUE(update_helps(pod, "InterPodAffinity", placed_app("db"), placed_app("x")));
  EXPECT_FALSE(update_helps(pod, "InterPodAffinity", placed_app("web"), placed_app("x")));
}

TEST(RequeueHint, affinity_waits_for_nodes_in_other_domains) {
  const api::Pod pod = affine_pod();
  EXPECT_TRUE(helps(pod, "InterPodAffinity", added(node_named("n1"))));
  EXPECT_TRUE(update_helps(pod, "InterPodAffinity", node_named("n1"), labelled("zone", "a")));
  EXPECT_FALSE(update_helps(pod, "InterPodAffinity", labelled("zone", "a"), node_named("n1")));
  EXPECT_TRUE(update_helps(pod, "InterPodAffinity", labelled("rack", "a"), node_named("n1")));
  EXPECT_FALSE(update_helps(pod, "InterPodAffinity", node_named("n1"), labelled("rack", "a")));
  EXPECT_TRUE(update_helps(pod, "InterPodAffinity", labelled("rack", "a"), labelled("rack", "b")));
}

TEST(RequeueHint, broken_selector_is_tried_again_at_everything_its_plugin_hears_of) {
  api::Pod pod = affine_pod();
  pod.spec.affinity->podAffinity->requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector =
      api::LabelSelector{.matchExpressions = {{.key = "a", .operator_ = "Like"}}};
  EXPECT_TRUE(helps(pod, "InterPodAffinity", assigned_pod_added(shared(placed_app("unrelated")))));
  EXPECT_TRUE(helps(pod, "InterPodAffinity", added(node_named("n1"))));
}

TEST(RequeueHint, only_plugins_that_rejected_the_pod_are_asked) {
  const api::Pod pod = waiting_pod("a");
  const ClusterEvent event = added(tainted("k"));
  EXPECT_FALSE(worth_requeuing(pod, needs_of(pod), {"TaintToleration"}, event, {}).has_value());
  const auto reason =
      worth_requeuing(pod, needs_of(pod), {"NodeName", "TaintToleration"}, event, {});
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->plugin, "NodeName");
  EXPECT_TRUE(worth_requeuing(pod, needs_of(pod), {}, event, {}).has_value());
}

}  // namespace
}  // namespace berth::scheduling
