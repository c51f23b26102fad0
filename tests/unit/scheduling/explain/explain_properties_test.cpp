// SPDX-License-Identifier: Apache-2.0

// The explanation agrees with the decision: for random clusters, including nominated pods.
#include <algorithm>

#include <gtest/gtest.h>

#include "scheduling/explain/explain_placement.hpp"
#include "scheduling/preemption/preemption.hpp"
#include "tests/unit/scheduling/random_cluster.hpp"
#include "tests/unit/scheduling/random_properties.hpp"

namespace berth::scheduling {
namespace {

StatedCluster random_cluster(Dice& dice) {
  StatedCluster stated;
  for (int i = 0; i < 6; ++i) {
    stated.nodes.push_back(random_node(dice, "n" + std::to_string(i)));
  }
  for (int i = 0; i < 14; ++i) {
    api::Pod pod = random_pod(dice, "p" + std::to_string(i));
    const std::string node = "n" + std::to_string(dice.below(6));
    (dice.below(5) == 0 ? pod.status.nominatedNodeName : pod.spec.nodeName) = node;
    stated.pods.push_back(pod);
  }
  stated.namespaces.push_back(random_namespace(dice, "default"));
  return stated;
}

// The scheduler's reasons for a node's refusal; empty if it can take the pod.
std::vector<std::string> reasons_of(const Scheduler& scheduler, NodeIndex node) {
  const auto has = [&](std::span<const NodeIndex> nodes) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  if (has(scheduler.feasible())) return {};
  if (has(scheduler.rejected())) return scheduler.filtering().status_of(node).reasons;
  return scheduler.absent_status().reasons;
}

TEST(ExplainProperties, what_is_explained_is_what_is_decided) {
  EXPECT_TRUE(holds([](std::uint32_t round) {
    Dice dice(drawn(round));
    const StatedCluster stated = random_cluster(dice);
    api::Pod pod = random_pod(dice, "q");
    pod.spec.nodeName.clear();
    const PlacementExplanation explanation = explain_placement(pod, stated, {});

    Cluster cluster;
    fill_cluster(cluster, stated, full_name_of(pod));
    Scheduler scheduler(cluster, {});
    const Decision decision = scheduler.decide(pod);
    RC_ASSERT((explanation.placement == Placement::kFits) ==
              (decision.outcome == Decision::Outcome::kPlaced));
    std::vector<std::string> best = names_of(cluster, decision.best);
    std::sort(best.begin(), best.end());
    RC_ASSERT(explanation.best == best);
    for (std::size_t place = 0; place < explanation.nodes.size(); ++place) {
      const NodeVerdict& verdict = explanation.nodes[place];
      const auto reasons = reasons_of(scheduler, cluster.node_order()[place]);
      RC_ASSERT(verdict.fits() == reasons.empty());
      if (!verdict.fits()) RC_ASSERT(verdict.refusals.front().reasons == reasons);
      for (const Refusal& refusal : verdict.refusals) RC_ASSERT(!refusal.values.empty());
    }
    if (decision.outcome == Decision::Outcome::kUnschedulable) {
      RC_ASSERT(explanation.message == preempt(scheduler, {}).message);
    }
  }));
}

}  // namespace
}  // namespace berth::scheduling
