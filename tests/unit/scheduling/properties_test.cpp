// Properties of every cluster, not only of those that somebody thought of.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/unit/scheduling/random_cluster.hpp"

namespace berth::scheduling {
namespace {

using Numbers = std::vector<std::uint32_t>;

// From the whole range from the first run on.
Numbers drawn() {
  constexpr std::size_t kNumbers = 500;
  constexpr int kFullSize = 100;
  return *rc::gen::resize(kFullSize, rc::gen::container<Numbers>(
                                         kNumbers, rc::gen::inRange<std::uint32_t>(0, 1 << 20)));
}

// A hundred clusters are too few for combinations of several rare things.
template <class Property>
bool holds(Property&& property) {
  constexpr int kHundreds = 10;
  for (int i = 0; i < kHundreds; ++i) {
    if (!rc::check(property)) return false;
  }
  return true;
}

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
  EXPECT_TRUE(holds([] {
    Dice dice(drawn());
    Dice order(drawn());
    Cluster changed;
    Scheduler scheduler(changed, {});
    ClusterObjects objects;
    std::vector<api::Pod> asking;
    for (int i = 0; i < 6; ++i) asking.push_back(random_pod(order, "q" + std::to_string(i)));
    while (!dice.is_used_up()) {
      objects.change(dice, changed);
      // Decisions in between leave columns that must follow later changes.
      const api::Pod& pod = asking[dice.below(static_cast<std::uint32_t>(asking.size()))];
      static_cast<void>(told(scheduler, pod));
    }
    Cluster afresh;
    build(afresh, objects, order);
    Scheduler other(afresh, {});
    for (const api::Pod& pod : asking) RC_ASSERT(told(scheduler, pod) == told(other, pod));
  }));
}

TEST(SchedulingProperties, what_is_hypothetical_is_what_would_be) {
  EXPECT_TRUE(holds([] {
    Dice dice(drawn());
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

}  // namespace
}  // namespace berth::scheduling
