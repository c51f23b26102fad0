// SPDX-License-Identifier: Apache-2.0

// What is reported about nodes that refuse a pod, and about preemption.
#include "tests/unit/scheduling/explain/explained.hpp"

#include "scheduling/explain/amount_text.hpp"

namespace berth::scheduling {
namespace {

std::string pod(const std::string& spec, const std::string& cpu = "2") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\nspec:\n" + spec +
         "  containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: 80}],\n"
         "    resources: {requests: {cpu: \"" +
         cpu + "\"}}}]\n";
}

std::string tainted(const std::string& name, const std::string& taint) {
  return node_yaml(name, "") + "spec: {taints: [" + taint + "]}\n";
}

struct Refused {
  const char* what;
  std::string pod;
  std::string cluster;
  std::string plugin;
  std::string reason;
  std::string value;
  std::string change;
};

// By node n1, the only one of the cluster.
void expect_refused(const Refused& one) {
  SCOPED_TRACE(one.what);
  const auto explanation = explained(one.pod, one.cluster);
  EXPECT_EQ(explanation.placement, Placement::kDoesNotFit);
  const auto& refusals = verdict_on(explanation, "n1").refusals;
  ASSERT_FALSE(refusals.empty());
  EXPECT_EQ(refusals[0].plugin, one.plugin);
  EXPECT_EQ(refusals[0].reasons, std::vector<std::string>{one.reason});
  EXPECT_EQ(refusals[0].values, std::vector<std::string>{one.value});
  ASSERT_FALSE(refusals[0].changes.empty());
  EXPECT_EQ(refusals[0].changes[0], one.change);
  EXPECT_TRUE(explanation.message.starts_with("0/1 nodes are available: 1 " + one.reason + "."))
      << explanation.message;
}

TEST(Refusals, name_what_of_the_node_decided) {
  const Refused cases[] = {
      {"what is short, and who has it", pod(""),
       node_yaml("n1", "") + pod_yaml("a", "n1", "k: v", "2500m") +
           pod_yaml("b", "n1", "k: v", "500m"),
       "NodeResourcesFit", "Insufficient cpu",
       "cpu: needs 2, free 1 of 4 (used by default/a 2.5, default/b 500m)",
       "request at most 1 cpu, or free 1 on the node"},
      {"more than the node has", pod("", "9"), node_yaml("n1", ""), "NodeResourcesFit",
       "Insufficient cpu", "cpu: needs 9, free 4 of 4",
       "request at most 4 cpu, all that the node has"},
      {"a taint", pod(""), tainted("n1", "{key: gpu, value: \"true\", effect: NoSchedule}"),
       "TaintToleration", "node(s) had untolerated taint(s)",
       "taint gpu=true:NoSchedule is not tolerated",
       "add to tolerations: {key: gpu, value: \"true\", effect: NoSchedule}"},
      {"a cordon", pod(""), node_yaml("n1", "") + "spec: {unschedulable: true}\n",
       "NodeUnschedulable", "node(s) were unschedulable",
       "the node is cordoned (spec.unschedulable: true)", "kubectl uncordon n1"},
      {"another node's name", pod("  nodeName: n2\n"), node_yaml("n1", ""), "NodeName",
       "node(s) didn't match the requested node name", "spec.nodeName is n2; this is n1",
       "remove spec.nodeName"},
      {"a label that is missing", pod("  nodeSelector: {disk: ssd}\n"), node_yaml("n1", ""),
       "NodeAffinity", "node(s) didn't match Pod's node affinity/selector",
       "nodeSelector: disk=ssd required; the node has no such label",
       "kubectl label node n1 disk=ssd --overwrite"},
      {"a label that is another",
       pod("  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:\n"
           "    {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd, "
           "nvme]}]}]}}}\n"),
       node_yaml("n1", "disk: hdd"), "NodeAffinity",
       "node(s) didn't match Pod's node affinity/selector",
       "required node affinity: disk In (ssd, nvme) required; the node has disk=hdd",
       "label the node to match, or change the node affinity"},
  };
  for (const Refused& one : cases) expect_refused(one);
}

TEST(Refusals, name_which_other_pods_or_labels_decided) {
  const Refused cases[] = {
      {"a port", pod(""),
       node_yaml("n1", "") +
           "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\n"
           "spec: {nodeName: n1, containers: [{name: c, image: i, ports: [{containerPort: 1, "
           "hostPort: 80}]}]}\n",
       "NodePorts", "node(s) didn't have free ports for the requested pod ports",
       "host port 0.0.0.0:80/TCP is in use by default/a", "use another hostPort or hostIP"},
      {"a key that a constraint needs",
       pod("  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
           "DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]\n"),
       node_yaml("n1", ""), "PodTopologySpread",
       "node(s) didn't match pod topology spread constraints (missing required label)",
       "the node has no label zone", "kubectl label node n1 zone=..."},
      {"pods that want it away", pod(""),
       node_yaml("n1", "") +
           "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\n"
           "spec: {nodeName: n1, containers: [{name: c, image: i}], affinity: {podAntiAffinity: "
           "{requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: "
           "web}}, topologyKey: kubernetes.io/hostname}]}}}\n",
       "InterPodAffinity", "node(s) didn't satisfy existing pods anti-affinity rules",
       "pods with anti-affinity against this pod share its kubernetes.io/hostname n1: default/a on "
       "n1",
       "add a node with another kubernetes.io/hostname"},
  };
  for (const Refused& one : cases) expect_refused(one);
}

TEST(Refusals, name_every_filter_that_refuses_the_reported_one_first) {
  const auto explanation = explained(pod("  nodeSelector: {disk: ssd}\n", "9"),
                                     tainted("n1", "{key: k, effect: NoExecute}"));
  std::vector<std::string> plugins;
  for (const Refusal& refusal : verdict_on(explanation, "n1").refusals)
    plugins.push_back(refusal.plugin);
  EXPECT_EQ(plugins,
            (std::vector<std::string>{"TaintToleration", "NodeAffinity", "NodeResourcesFit"}));
}

TEST(Refusals, of_a_prefilter_hold_for_all_nodes) {
  const auto explanation = explained(
      pod("  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
          "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}, "
          "{key: metadata.name, operator: In, values: [n2]}]}]}}}\n"),
      node_yaml("n1", "") + node_yaml("n2", ""));
  for (const char* node : {"n1", "n2"}) {
    EXPECT_EQ(verdict_on(explanation, node).refusals.at(0).reasons.at(0),
              "pod affinity terms conflict");
  }
}

TEST(Refusals, of_nodes_that_the_affinity_does_not_name_say_which_it_names) {
  const auto explanation = explained(
      pod("  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
          "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: "
          "[n1]}]}]}}}\n"),
      node_yaml("n1", "") + node_yaml("n2", ""));
  EXPECT_EQ(explanation.best, std::vector<std::string>{"n1"});
  const Refusal& refusal = verdict_on(explanation, "n2").refusals.at(0);
  EXPECT_EQ(refusal.reasons.at(0), "node(s) didn't satisfy plugin(s) [NodeAffinity]");
  EXPECT_EQ(refusal.values.at(0), "required node affinity only allows node n1; this is n2");
}

TEST(Refusals, a_domain_of_nodes_that_are_closed_by_taints_comes_with_the_way_out) {
  const auto explanation = explained(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\nspec:\n"
      "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, "
      "whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]\n"
      "  containers: [{name: c, image: i}]\n",
      node_yaml("n1", "") + tainted("n2", "{key: k, effect: NoSchedule}") +
          pod_yaml("a", "n1", "app: web"));
  const auto& changes = verdict_on(explanation, "n1").refusals.at(0).changes;
  EXPECT_NE(std::find_if(changes.begin(), changes.end(),
                         [](const std::string& change) {
                           return change.starts_with("set nodeTaintsPolicy: Honor");
                         }),
            changes.end());
}

TEST(PreemptionOutlook, names_who_would_go) {
  const std::string classes =
      "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\n"
      "value: 1000\n";
  const std::string cluster = node_yaml("n1", "") + node_yaml("n2", "") +
                              pod_yaml("low", "n1", "k: v", "4", 10) +
                              pod_yaml("lower", "n2", "k: v", "4", 5) + classes;
  const auto explanation = explained(pod("  priorityClassName: high\n"), cluster);
  EXPECT_EQ(explanation.priority, 1000);
  ASSERT_TRUE(explanation.preemption.has_value());
  ASSERT_EQ(explanation.preemption->candidates.size(), 2U);
  EXPECT_EQ(explanation.preemption->candidates[0].node, "n2");
  EXPECT_TRUE(explanation.preemption->candidates[0].is_best);
  EXPECT_EQ(explanation.preemption->candidates[0].victims.at(0).pod, "default/lower");
  const auto never = explained(pod("", "2"), cluster);
  ASSERT_TRUE(never.preemption.has_value());
  EXPECT_TRUE(never.preemption->candidates.empty());
  EXPECT_EQ(never.preemption->tried_nodes, 2U);
}

TEST(Placement, without_nodes_says_so_as_kubernetes_does) {
  const auto explanation = explained(pod(""), "");
  EXPECT_EQ(explanation.placement, Placement::kDoesNotFit);
  EXPECT_EQ(explanation.message, "no nodes available to schedule pods");
}

TEST(Placement, of_a_gated_pod_waits_for_its_gates) {
  const auto explanation =
      explained(pod("  schedulingGates: [{name: a.b/c}, {name: d.e/f}]\n"), node_yaml("n1", ""));
  EXPECT_EQ(explanation.placement, Placement::kGated);
  EXPECT_EQ(explanation.message, "waiting for scheduling gates: [a.b/c d.e/f]");
}

TEST(Placement, comes_with_scores_that_add_up) {
  const auto explanation = explained(pod(""), node_yaml("n1", "") + node_yaml("n2", "", "8"));
  EXPECT_EQ(explanation.best, std::vector<std::string>{"n2"});
  for (const NodeVerdict& node : explanation.nodes) {
    std::int64_t sum = 0;
    ASSERT_EQ(node.scores.size(), explanation.plugins.size());
    for (std::size_t i = 0; i < node.scores.size(); ++i) {
      sum += node.scores[i].normalized * explanation.plugins[i].weight;
    }
    EXPECT_EQ(node.total, sum);
  }
}

TEST(Placement, goes_by_the_default_constraints_that_a_service_brings) {
  const std::string service =
      "---\napiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: default}\n"
      "spec: {selector: {app: web}}\n";
  const std::string cluster = node_yaml("n1", "topology.kubernetes.io/zone: a") +
                              node_yaml("n2", "topology.kubernetes.io/zone: b") +
                              pod_yaml("a", "n1", "app: web", "1m");
  EXPECT_TRUE(explained(pod("", "1m"), cluster).spread.empty());
  const auto explanation = explained(pod("", "1m"), cluster + service);
  ASSERT_EQ(explanation.spread.size(), 2U);
  EXPECT_EQ(explanation.spread[0].field, "default constraint");
  EXPECT_EQ(explanation.spread[0].selector, "app=web");
  EXPECT_EQ(explanation.best, std::vector<std::string>{"n2"});
}

TEST(Warnings, name_what_is_probably_not_meant) {
  const std::string cluster = node_yaml("n1", "zone: a") + node_yaml("n2", "");
  const auto constraint = [](const std::string& selector) {
    return "  topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "
           "DoNotSchedule" +
           selector + "}]\n";
  };
  struct Case {
    std::string spec;
    std::string warning;
  };
  const Case cases[] = {
      {constraint(", labelSelector: {matchLabels: {app: web}}"),
       "topologySpreadConstraints[0]: 1 of 2 nodes lacks label zone (n2): they cannot take the pod "
       "and are not counted"},
      {constraint(", labelSelector: {matchLabels: {app: wbe}}"),
       "topologySpreadConstraints[0]: labelSelector app=wbe does not select this pod, so it does "
       "not spread pods like this one"},
      {constraint(""),
       "topologySpreadConstraints[0]: without labelSelector it selects no pod and has no effect"},
      {constraint(", labelSelector: {}"),
       "topologySpreadConstraints[0]: an empty labelSelector counts no existing pod; select the "
       "pods to spread"},
      {"  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
       "[{labelSelector: {}, topologyKey: zone}]}}\n",
       "podAntiAffinity, required term 1: 1 of 2 nodes lacks label zone (n2): the term does not "
       "apply to them"},
      {"  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]\n",
       "volume v is a claim: Kubernetes also checks where its volume is; this explanation does "
       "not"},
  };
  for (const Case& one : cases) {
    const auto explanation = explained(pod(one.spec), cluster);
    EXPECT_NE(std::find(explanation.warnings.begin(), explanation.warnings.end(), one.warning),
              explanation.warnings.end())
        << one.warning
        << "\ngot: " << (explanation.warnings.empty() ? "" : explanation.warnings[0]);
  }
}

TEST(AmountText, is_short_and_has_units) {
  const std::pair<std::pair<const char*, std::int64_t>, const char*> cases[] = {
      {{"cpu", 500}, "500m"},
      {{"cpu", 1500}, "1.5"},
      {{"cpu", 1001}, "1001m"},
      {{"cpu", 0}, "0"},
      {{"memory", std::int64_t{1} << 30}, "1Gi"},
      {{"memory", 1}, "1"},
      {{"memory", 8245313536}, "7.68Gi"},
      {{"example.com/gpu", 2}, "2"},
  };
  for (const auto& [amount, text] : cases) {
    EXPECT_EQ(amount_text(amount.first, amount.second), text);
  }
}

}  // namespace
}  // namespace berth::scheduling
