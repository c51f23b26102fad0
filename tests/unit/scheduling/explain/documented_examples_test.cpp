// SPDX-License-Identifier: Apache-2.0

// The placement examples from Kubernetes' documentation, decided and explained here.
#include <map>

#include "tests/unit/scheduling/explain/explained.hpp"

namespace berth::scheduling {
namespace {

constexpr const char* kZoneA = "zone: zoneA";
constexpr const char* kZoneB = "zone: zoneB";

std::string spread_pod(const std::string& constraints) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: mypod, labels: {foo: bar}}\nspec:\n"
         "  topologySpreadConstraints:\n" +
         constraints + "  containers: [{name: pause, image: pause}]\n";
}

const std::string kByZone =
    "  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,\n"
    "     labelSelector: {matchLabels: {foo: bar}}}\n";
const std::string kByHost =
    "  - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule,\n"
    "     labelSelector: {matchLabels: {foo: bar}}}\n";

// Three pods in two zones of two nodes: two in zone A, one in zone B.
std::string three_in_two_zones() {
  return node_yaml("node1", kZoneA) + node_yaml("node2", kZoneA) + node_yaml("node3", kZoneB) +
         node_yaml("node4", kZoneB) + pod_yaml("p1", "node1", "foo: bar") +
         pod_yaml("p2", "node2", "foo: bar") + pod_yaml("p3", "node3", "foo: bar");
}

TEST(DocumentedExamples, of_three_pods_over_zones_the_fourth_goes_to_the_zone_with_one) {
  const auto explanation = explained(spread_pod(kByZone), three_in_two_zones());
  EXPECT_EQ(explanation.placement, Placement::kFits);
  EXPECT_EQ(fitting(explanation), "node3 node4");
  const Refusal& refusal = verdict_on(explanation, "node1").refusals.at(0);
  EXPECT_EQ(refusal.plugin, "PodTopologySpread");
  EXPECT_EQ(refusal.values.at(0),
            "zone=zoneA would have 3 pods with foo=bar, the minimum is 1 (zoneB): skew 2 exceeds "
            "maxSkew 1");
  ASSERT_EQ(explanation.spread.size(), 1U);
  ASSERT_EQ(explanation.spread[0].domains.size(), 2U);
  EXPECT_EQ(explanation.spread[0].domains[0].pods, 2);
  EXPECT_EQ(explanation.spread[0].domains[0].skew, 2);
  EXPECT_FALSE(explanation.spread[0].domains[0].is_allowed);
  EXPECT_EQ(explanation.spread[0].domains[1].pods, 1);
  EXPECT_EQ(explanation.spread[0].domains[1].fitting_nodes, 2);
  EXPECT_TRUE(explanation.spread[0].domains[1].is_allowed);
}

TEST(DocumentedExamples, with_hosts_beside_zones_only_the_empty_node_is_left) {
  const auto explanation = explained(spread_pod(kByZone + kByHost), three_in_two_zones());
  EXPECT_EQ(explanation.best, std::vector<std::string>{"node4"});
  EXPECT_EQ(fitting(explanation), "node4");
  EXPECT_FALSE(explanation.not_scored.empty());
  EXPECT_EQ(verdict_on(explanation, "node3").refusals.at(0).values.at(0),
            "kubernetes.io/hostname=node3 would have 2 pods with foo=bar, the minimum is 0 "
            "(node4): skew 2 exceeds maxSkew 1");
}

// Zone A has two nodes, with two pods and one; zone B has one node, with two pods. By zone only
// zone B can take the pod, by host only node2 can.
TEST(DocumentedExamples, zones_and_hosts_that_exclude_each_other_leave_the_pod_pending) {
  const auto explanation =
      explained(spread_pod(kByZone + kByHost),
                node_yaml("node1", kZoneA) + node_yaml("node2", kZoneA) +
                    node_yaml("node3", kZoneB) + pod_yaml("p1", "node1", "foo: bar") +
                    pod_yaml("p2", "node1", "foo: bar") + pod_yaml("p3", "node2", "foo: bar") +
                    pod_yaml("p4", "node3", "foo: bar") + pod_yaml("p5", "node3", "foo: bar"));
  EXPECT_EQ(explanation.placement, Placement::kDoesNotFit);
  EXPECT_TRUE(explanation.message.starts_with(
      "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints."))
      << explanation.message;
}

// A web server with an in-memory cache on three nodes: every server beside a cache, no two of a
// kind on one node. Pods are placed one after the other.
class WebStore : public testing::Test {
 protected:
  static std::string cache() {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: redis-cache, labels: {app: store}}\nspec:\n"
           "  affinity:\n    podAntiAffinity:\n"
           "      requiredDuringSchedulingIgnoredDuringExecution:\n" +
           term("store") + "  containers: [{name: redis-server, image: redis}]\n";
  }
  static std::string server() {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: web-server, labels: {app: web-store}}\n"
           "spec:\n  affinity:\n    podAntiAffinity:\n"
           "      requiredDuringSchedulingIgnoredDuringExecution:\n" +
           term("web-store") +
           "    podAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n" +
           term("store") + "  containers: [{name: web-app, image: nginx}]\n";
  }

  PlacementExplanation place(const std::string& pod, const std::string& labels) {
    auto explanation = explained(pod, cluster_);
    if (explanation.placement == Placement::kFits) {
      const std::string name = "p" + std::to_string(++placed_);
      cluster_ += pod_yaml(name, explanation.best.front(), labels);
      ++on_[explanation.best.front()][labels];
    }
    return explanation;
  }

  std::string cluster_ = node_yaml("n1", "") + node_yaml("n2", "") + node_yaml("n3", "");
  std::map<std::string, std::map<std::string, int>> on_{};

 private:
  static std::string term(const std::string& app) {
    return "      - labelSelector: {matchExpressions: [{key: app, operator: In, values: [" + app +
           "]}]}\n        topologyKey: kubernetes.io/hostname\n";
  }
  int placed_ = 0;
};

TEST_F(WebStore, each_of_three_nodes_gets_a_cache_and_a_server) {
  const auto early = place(server(), "app: web-store");
  EXPECT_EQ(early.placement, Placement::kDoesNotFit);
  EXPECT_EQ(verdict_on(early, "n1").refusals.at(0).values.at(0),
            "needs app=store in namespace default; kubernetes.io/hostname=n1 has none, nor has any "
            "other node");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(place(cache(), "app: store").placement, Placement::kFits);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(place(server(), "app: web-store").placement, Placement::kFits);
  }
  for (const char* node : {"n1", "n2", "n3"}) {
    EXPECT_EQ(on_[node]["app: store"], 1) << node;
    EXPECT_EQ(on_[node]["app: web-store"], 1) << node;
  }
  const auto fourth = place(server(), "app: web-store");
  EXPECT_TRUE(fourth.message.starts_with(
      "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules."))
      << fourth.message;
}

// Tenants share a cluster, each on node pools of its own: near pods of the same tenant, away from
// those of others, whoever they are.
std::string tenant_pod(const std::string& tenant) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: app, labels: {tenant: " + tenant +
         "}}\nspec:\n  affinity:\n    podAffinity:\n"
         "      requiredDuringSchedulingIgnoredDuringExecution:\n"
         "      - labelSelector: {}\n        matchLabelKeys: [tenant]\n"
         "        topologyKey: node-pool\n"
         "    podAntiAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n"
         "      - labelSelector: {matchExpressions: [{key: tenant, operator: Exists}]}\n"
         "        mismatchLabelKeys: [tenant]\n        topologyKey: node-pool\n"
         "  containers: [{name: c, image: i}]\n";
}

std::string tenant_pools() {
  return node_yaml("a1", "node-pool: pool-a") + node_yaml("a2", "node-pool: pool-a") +
         node_yaml("b1", "node-pool: pool-b") + node_yaml("c1", "node-pool: pool-c") +
         pod_yaml("pa", "a1", "tenant: tenant-a") + pod_yaml("pb", "b1", "tenant: tenant-b");
}

TEST(DocumentedExamples, a_tenant_s_pod_joins_its_own_pool) {
  const auto explanation = explained(tenant_pod("tenant-a"), tenant_pools());
  EXPECT_EQ(fitting(explanation), "a1 a2");
  const NodeVerdict& other = verdict_on(explanation, "b1");
  ASSERT_EQ(other.refusals.size(), 2U);
  EXPECT_EQ(other.refusals[0].reasons.at(0), "node(s) didn't match pod affinity rules");
  EXPECT_EQ(
      other.refusals[0].values.at(0),
      "needs tenant=tenant-a in namespace default; node-pool=pool-b has none; found in pool-a");
  EXPECT_EQ(other.refusals[1].values.at(0),
            "must not share node-pool with tenant,tenant!=tenant-a in namespace default; in pool-b "
            "there is default/pb on b1");
}

TEST(DocumentedExamples, a_tenant_s_first_pod_opens_a_pool_that_nobody_uses) {
  EXPECT_EQ(fitting(explained(tenant_pod("tenant-c"), tenant_pools())), "c1");
}

}  // namespace
}  // namespace berth::scheduling
