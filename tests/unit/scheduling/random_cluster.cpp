// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/scheduling/random_cluster.hpp"

#include <algorithm>
#include <set>

namespace berth::scheduling {
namespace {

const char* random_key(Dice& dice) {
  return dice.one_of({"kubernetes.io/hostname", "topology.kubernetes.io/zone", "rack"});
}

api::LabelSelector random_selector(Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return {};
    case 1:
      return {.matchLabels = {{"app", dice.one_of({"a", "b"})}}};
    case 2:
      return {.matchExpressions = {{.key = "app", .operator_ = "Exists"}}};
    default:
      return {.matchExpressions = {{.key = "app", .operator_ = "NotIn", .values = {"a"}}}};
  }
}

api::PodAffinityTerm random_term(Dice& dice) {
  api::PodAffinityTerm term{.labelSelector = random_selector(dice),
                            .topologyKey = random_key(dice)};
  if (dice.below(4) == 0) term.namespaces = {"n1"};
  if (dice.below(2) == 0) {
    term.namespaceSelector = api::LabelSelector{.matchLabels = {{"team", "x"}}};
  }
  return term;
}

api::Affinity random_affinity(Dice& dice) {
  api::Affinity affinity{.podAffinity = api::PodAffinity{},
                         .podAntiAffinity = api::PodAntiAffinity{}};
  switch (dice.below(4)) {
    case 0:
      affinity.podAffinity->requiredDuringSchedulingIgnoredDuringExecution = {random_term(dice)};
      break;
    case 1:
      affinity.podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution = {
          random_term(dice)};
      break;
    case 2:
      affinity.podAffinity->preferredDuringSchedulingIgnoredDuringExecution = {
          {.weight = 10, .podAffinityTerm = random_term(dice)}};
      break;
    default:
      affinity.podAntiAffinity->preferredDuringSchedulingIgnoredDuringExecution = {
          {.weight = 30, .podAffinityTerm = random_term(dice)}};
      break;
  }
  return affinity;
}

api::TopologySpreadConstraint random_constraint(Dice& dice) {
  api::TopologySpreadConstraint constraint{
      .maxSkew = 1 + static_cast<std::int32_t>(dice.below(2)),
      .topologyKey = random_key(dice),
      .whenUnsatisfiable = dice.one_of({"DoNotSchedule", "ScheduleAnyway"}),
      .labelSelector = random_selector(dice)};
  if (dice.below(3) == 0) constraint.nodeTaintsPolicy = "Honor";
  return constraint;
}

}  // namespace

api::Node random_node(Dice& dice, const std::string& name) {
  api::Node node = a_node(name, dice.one_of({"z1", "z2", "z3"}));
  if (dice.below(3) == 0) node.metadata.labels["rack"] = dice.one_of({"r1", "r2"});
  if (dice.below(6) == 0) node.metadata.labels.erase("topology.kubernetes.io/zone");
  if (dice.below(5) == 0) {
    node.spec.taints = {{.key = "t", .effect = dice.one_of({"NoSchedule", "PreferNoSchedule"})}};
  }
  node.spec.unschedulable = dice.below(8) == 0;
  node.status.allocatable["cpu"] = quantity(dice.one_of({"2", "4", "8"}));
  return node;
}

api::Pod random_pod(Dice& dice, const std::string& name) {
  api::Pod pod = a_pod(name, dice.one_of({"100m", "500m", "1"}));
  pod.metadata.namespace_ = dice.one_of({"n1", "n2"});
  pod.metadata.labels = {{"app", dice.one_of({"a", "b", "c"})}};
  if (dice.below(6) == 0) pod.metadata.deletionTimestamp = api::Time{};
  if (dice.below(4) == 0) {
    pod.spec.containers[0].ports = {{.hostPort = dice.one_of({80, 81})}};
  }
  if (dice.below(2) == 0) pod.spec.affinity = random_affinity(dice);
  if (dice.below(3) == 0) pod.spec.topologySpreadConstraints = {random_constraint(dice)};
  if (dice.below(6) == 0) pod.spec.nodeSelector = {{"rack", "r1"}};
  if (dice.below(5) == 0) pod.spec.tolerations = {{.key = "t", .operator_ = "Exists"}};
  return pod;
}

api::Namespace random_namespace(Dice& dice, const std::string& name) {
  api::Namespace object;
  object.metadata.name = name;
  object.metadata.labels = {{"team", dice.one_of({"x", "y"})}};
  return object;
}

void ClusterObjects::change(Dice& dice, Cluster& cluster) {
  const std::string node = dice.one_of({"a", "b", "c", "d", "e", "f"});
  const std::string pod = "p" + std::to_string(dice.below(12));
  const std::string name = dice.one_of({"n1", "n2"});
  switch (dice.below(9)) {
    case 0:
    case 1:
      cluster.set_node(nodes[node] = random_node(dice, node));
      return;
    case 2:
      cluster.remove_node(node);
      nodes.erase(node);
      return;
    case 3:
      cluster.remove_pod(pod);
      pods.erase(pod);
      return;
    case 4:
      cluster.set_namespace(namespaces[name] = random_namespace(dice, name));
      return;
    case 5:
      cluster.remove_namespace(name);
      namespaces.erase(name);
      return;
    default:
      pods[pod] = {random_pod(dice, pod), node};
      place(cluster, pods[pod].first, node);
      return;
  }
}

std::string decision_text(Scheduler& scheduler, const api::Pod& pod) {
  const Decision decision = scheduler.decide(pod);
  std::set<std::string> lines;
  const Cluster& cluster = scheduler.cluster();
  for (const NodeIndex node : decision.best) lines.insert("best " + cluster.node(node).name);
  for (const NodeIndex node : scheduler.rejected()) {
    std::string line = "rejected " + cluster.node(node).name;
    for (const std::string& reason : scheduler.filtering().status_of(node).reasons) {
      line += "; " + reason;
    }
    lines.insert(line);
  }
  if (decision.feasible > 1 && decision.outcome == Decision::Outcome::kPlaced) {
    for (const PluginScores& scores : scheduler.scoring().plugins()) {
      for (const NodeIndex node : scheduler.feasible()) {
        lines.insert(std::string(name_of(scores.plugin)) + " " + cluster.node(node).name + " " +
                     std::to_string(scores.raw_of(node)) + " " +
                     std::to_string(scores.normalized_of(node)));
      }
    }
  }
  std::string text = decision.message;
  for (const std::string& line : lines) text += "\n" + line;
  return text;
}

}  // namespace berth::scheduling
