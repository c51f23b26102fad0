// SPDX-License-Identifier: Apache-2.0

// Properties that hold for every cluster, not only for those that somebody thought of.
#include <algorithm>

#include <gtest/gtest.h>
#include "tests/unit/scheduling/random_cluster.hpp"
#include "tests/unit/scheduling/random_properties.hpp"

namespace berth::scheduling {
namespace {

template <class Objects>
void shuffle(Objects& objects, Dice& dice) {
  for (std::size_t i = objects.size(); i > 1; --i) {
    std::swap(objects[i - 1], objects[dice.below(static_cast<std::uint32_t>(i))]);
  }
}

// Adds all objects in some order.
void build(Cluster& cluster, const ClusterObjects& objects, Dice& order) {
  std::vector<const api::Node*> nodes;
  for (const auto& [name, node] : objects.nodes) nodes.push_back(&node);
  std::vector<const std::pair<api::Pod, std::string>*> pods;
  for (const auto& [name, pod] : objects.pods) pods.push_back(&pod);
  shuffle(nodes, order);
  shuffle(pods, order);
  for (const auto& [name, object] : objects.namespaces) cluster.set_namespace(object);
  for (const api::Node* node : nodes) cluster.set_node(*node);
  for (const auto* pod : pods) place(cluster, pod->first, pod->second);
}

TEST(SchedulingProperties, a_cluster_that_was_changed_decides_as_one_built_afresh_in_any_order) {
  EXPECT_TRUE(holds([](std::uint32_t round) {
    Dice dice(drawn(round));
    Dice order(drawn(round));
    Cluster changed;
    Scheduler scheduler(changed, {});
    ClusterObjects objects;
    std::vector<api::Pod> asking;
    for (int i = 0; i < 6; ++i) asking.push_back(random_pod(order, "q" + std::to_string(i)));
    while (!dice.is_used_up()) {
      objects.change(dice, changed);
      // Decisions in between create columns that must follow later changes.
      const api::Pod& pod = asking[dice.below(static_cast<std::uint32_t>(asking.size()))];
      static_cast<void>(decision_text(scheduler, pod));
    }
    Cluster afresh;
    build(afresh, objects, order);
    Scheduler other(afresh, {});
    for (const api::Pod& pod : asking)
      RC_ASSERT(decision_text(scheduler, pod) == decision_text(other, pod));
  }));
}

TEST(SchedulingProperties, what_is_hypothetical_is_what_would_be) {
  EXPECT_TRUE(holds([](std::uint32_t round) {
    Dice dice(drawn(round));
    Cluster cluster;
    ClusterObjects objects;
    for (int i = 0; i < 40; ++i) objects.change(dice, cluster);
    const api::Pod pod = random_pod(dice, "q");
    Scheduler scheduler(cluster, {});
    // Without ports: two pods on a node with the same one are distinguished only in the cluster.
    const auto without_ports = [](const auto& one) {
      return one.second.first.spec.containers[0].ports.empty() &&
             !one.second.first.metadata.deletionTimestamp;
    };
    const auto gone = std::find_if(objects.pods.begin(), objects.pods.end(), without_ports);
    RC_PRE(gone != objects.pods.end());
    const auto node = cluster.find_node(gone->second.second);
    RC_PRE(node.has_value());
    static_cast<void>(scheduler.decide(pod));
    RC_PRE(scheduler.filtering().pre_filter().status.code == StatusCode::kSuccess);
    // A selector that matches every pod counts no existing pod, but counts pods that arrive or
    // leave.
    const auto& constraints = pod.spec.topologySpreadConstraints;
    const bool counts_alike =
        constraints.empty() || constraints[0].labelSelector != api::LabelSelector{};
    RC_PRE(counts_alike);

    HypotheticalNode thought = scheduler.filtering().hypothetical(*node);
    const PodInfo leaving = cluster.compile(gone->second.first).info;
    scheduler.filtering().remove(thought, leaving);
    const Rejections expected = scheduler.filtering().rejections_of(thought);
    cluster.remove_pod(leaving.key);
    static_cast<void>(scheduler.decide(pod));
    RC_CLASSIFY(expected != 0);
    RC_ASSERT(scheduler.filtering().rejections()[*node] == expected);
  }));
}

// Adds a constraint that only narrows. Left out are constraints by which Kubernetes widens what
// others allow: a required affinity beside another one (no pod may meet both, and then the pod
// counts as the first of its series), and anything that removes nodes from the counts of a hard
// spread constraint.
api::Pod constrained(api::Pod pod, Dice& dice) {
  api::PodAffinityTerm term{
      .labelSelector = api::LabelSelector{.matchLabels = {{"app", dice.one_of({"a", "b"})}}},
      .topologyKey = dice.one_of({"kubernetes.io/hostname", "topology.kubernetes.io/zone"})};
  switch (dice.below(6)) {
    case 0:
      pod.spec.nodeSelector["topology.kubernetes.io/zone"] = dice.one_of({"z1", "z2"});
      return pod;
    case 1:
      pod.spec.containers[0].resources.requests["cpu"] = quantity("2");
      return pod;
    case 2:
      pod.spec.containers[0].ports.push_back({.hostPort = dice.one_of({80, 81, 82})});
      return pod;
    case 3:
      pod.spec.topologySpreadConstraints.push_back({.maxSkew = 1,
                                                    .topologyKey = term.topologyKey,
                                                    .whenUnsatisfiable = "DoNotSchedule",
                                                    .labelSelector = term.labelSelector});
      return pod;
    case 4:
      if (!pod.spec.affinity) pod.spec.affinity.emplace();
      if (!pod.spec.affinity->podAntiAffinity) pod.spec.affinity->podAntiAffinity.emplace();
      pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution.push_back(
          term);
      return pod;
    default:
      if (!pod.spec.affinity) pod.spec.affinity.emplace();
      if (!pod.spec.affinity->podAffinity) pod.spec.affinity->podAffinity.emplace();
      auto& required =
          pod.spec.affinity->podAffinity->requiredDuringSchedulingIgnoredDuringExecution;
      if (required.empty()) required.push_back(term);
      return pod;
  }
}

std::vector<std::string> feasible_for(Scheduler& scheduler, const api::Pod& pod) {
  static_cast<void>(scheduler.decide(pod));
  std::vector<std::string> names;
  for (const NodeIndex node : scheduler.feasible())
    names.push_back(scheduler.cluster().node(node).name);
  std::ranges::sort(names);
  return names;
}

TEST(SchedulingProperties, a_constraint_more_leaves_no_node_that_was_not_there_before) {
  EXPECT_TRUE(holds([](std::uint32_t round) {
    Dice dice(drawn(round));
    Cluster cluster;
    ClusterObjects objects;
    for (int i = 0; i < 40; ++i) objects.change(dice, cluster);
    api::Pod pod = random_pod(dice, "q");
    std::erase_if(pod.spec.topologySpreadConstraints, [](const auto& constraint) {
      return constraint.whenUnsatisfiable == "DoNotSchedule";
    });
    Scheduler scheduler(cluster, {});
    const auto before = feasible_for(scheduler, pod);
    const auto after = feasible_for(scheduler, constrained(pod, dice));
    RC_CLASSIFY(after.size() < before.size());
    RC_ASSERT(std::ranges::includes(before, after));
  }));
}

}  // namespace
}  // namespace berth::scheduling
