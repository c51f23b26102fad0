// SPDX-License-Identifier: Apache-2.0

#include "scheduling/explain/explain_placement.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scheduling/cycle/sampling.hpp"
#include "scheduling/explain/amount_text.hpp"
#include "scheduling/explain/placement_warnings.hpp"
#include "scheduling/explain/refusals.hpp"
#include "scheduling/explain/spread_tables.hpp"
#include "scheduling/preemption/preemption.hpp"

namespace berth::scheduling {
namespace {

// Builds one explanation.
class Explainer {
 public:
  Explainer(const api::Pod& pod, const StatedCluster& objects, Cluster& cluster,
            Scheduler& scheduler)
      : pod_(pod), objects_(objects), cluster_(cluster), scheduler_(scheduler) {}

  PlacementExplanation explain() {
    const Decision decision = scheduler_.decide(pod_);
    out_.pod = full_name_of(pod_);
    out_.requests = amounts_text(scheduler_.pod().requests);
    out_.priority = scheduler_.pod().info.priority;
    out_.scheduler = scheduler_.profile().schedulerName;
    out_.fitting = decision.feasible;
    add_spread();
    add_nodes();
    add_scores(decision);
    conclude(decision);
    out_.warnings = placement_warnings(scheduler_, out_.spread);
    return std::move(out_);
  }

 private:
  void add_spread() {
    // If the decision ended in an error here, nothing was counted.
    if (scheduler_.filtering().pre_filter().status.code == StatusCode::kError) return;
    out_.spread = spread_tables(scheduler_);
  }

  void add_nodes() {
    const Refusals refusals(scheduler_);
    for (const NodeIndex node : cluster_.node_order()) {
      out_.nodes.push_back({.node = cluster_.node(node).name, .refusals = refusals.of(node)});
    }
  }

  void add_scores(const Decision& decision) {
    if (decision.feasible == 1) {
      const bool nominated = !pod_.status.nominatedNodeName.empty() && objects_.nodes.size() > 1;
      out_.not_scored =
          nominated
              ? "the pod is nominated to this node and fits, so the scheduler considers no other"
              : "only one node fits, so the scheduler computes no scores";
    }
    if (decision.outcome != Decision::Outcome::kPlaced || !decision.total) return;
    const Scoring& scoring = scheduler_.scoring();
    for (const PluginScores& plugin : scoring.plugins()) {
      out_.plugins.push_back(
          {.name = std::string(name_of(plugin.plugin)), .weight = plugin.weight});
    }
    std::vector<bool> feasible(cluster_.node_slots());
    for (const NodeIndex node : scheduler_.feasible()) feasible[node] = true;
    std::size_t place = 0;
    for (const NodeIndex node : cluster_.node_order()) {
      NodeVerdict& verdict = out_.nodes[place++];
      if (!feasible[node]) continue;
      for (const PluginScores& plugin : scoring.plugins()) {
        verdict.scores.push_back(
            {.raw = plugin.raw_of(node), .normalized = plugin.normalized_of(node)});
      }
      verdict.total = scoring.total(node);
    }
  }

  void conclude(const Decision& decision) {
    switch (decision.outcome) {
      case Decision::Outcome::kPlaced:
        out_.placement = Placement::kFits;
        for (const NodeIndex node : decision.best) out_.best.push_back(cluster_.node(node).name);
        std::sort(out_.best.begin(), out_.best.end());
        out_.event_reason = "Scheduled";
        out_.message = fmt::format("Successfully assigned {} to {}", out_.pod, out_.best.front());
        break;
      case Decision::Outcome::kError:
        out_.placement = Placement::kBroken;
        out_.event_reason = "FailedScheduling";
        out_.message = decision.message;
        break;
      case Decision::Outcome::kUnschedulable:
        out_.event_reason = "FailedScheduling";
        add_preemption();
        break;
    }
    // Without nodes nothing can be broken.
    if (cluster_.node_order().empty()) out_.placement = Placement::kDoesNotFit;
    if (!pod_.spec.schedulingGates.empty()) conclude_gated();
  }

  void conclude_gated() {
    std::string gates;
    for (const auto& gate : pod_.spec.schedulingGates)
      gates += (gates.empty() ? "" : " ") + gate.name;
    out_.notes.push_back(fmt::format("without the gates: {}", out_.placement == Placement::kFits
                                                                  ? "the pod fits"
                                                                  : out_.message));
    out_.placement = Placement::kGated;
    out_.event_reason = "SchedulingGated";
    out_.message = fmt::format("waiting for scheduling gates: [{}]", gates);
    out_.best.clear();
  }

  void add_preemption() {
    const DisruptionBudgets budgets(objects_.budgets, cluster_);
    const Preemption preemption = preempt(scheduler_, budgets);
    out_.message = preemption.message;
    PreemptionOutlook outlook{.ineligible = preemption.ineligible_reason};
    if (outlook.ineligible.empty()) outlook.tried_nodes = preemption.potential_nodes.size();
    for (std::size_t i = 0; i < preemption.candidates.size(); ++i) {
      const PreemptionCandidate& candidate = preemption.candidates[i];
      PreemptionCandidateNode node{
          .node = cluster_.node(candidate.node).name,
          .budget_violations = candidate.victims.budget_violations,
          .is_best = std::ranges::find(preemption.best, i) != preemption.best.end()};
      for (const PodSlot slot : candidate.victims.pods) {
        const PodInfo& pod = cluster_.pod(slot);
        node.victims.push_back(
            {.pod = cluster_.vocabulary().text_of(pod.namespace_) + "/" + pod.name,
             .priority = pod.priority});
      }
      outlook.candidates.push_back(std::move(node));
    }
    std::ranges::stable_sort(outlook.candidates,
                             [](const auto& a, const auto& b) { return a.is_best && !b.is_best; });
    out_.preemption = std::move(outlook);
  }

  const api::Pod& pod_;
  const StatedCluster& objects_;
  Cluster& cluster_;
  Scheduler& scheduler_;
  PlacementExplanation out_{};
};

}  // namespace

PlacementExplanation explain_placement(const api::Pod& pod, const StatedCluster& objects,
                                       const Profile& profile) {
  Cluster cluster;
  fill_cluster(cluster, objects, full_name_of(pod));
  Profile of_all = profile;
  of_all.percentageOfNodesToScore = 100;
  Scheduler scheduler(cluster, of_all);
  PlacementExplanation explanation = Explainer(pod, objects, cluster, scheduler).explain();
  const auto nodes = static_cast<std::int64_t>(cluster.node_order().size());
  const std::int64_t wanted = feasible_nodes_wanted(nodes, profile.percentageOfNodesToScore);
  if (static_cast<std::int64_t>(explanation.fitting) > wanted) {
    explanation.notes.push_back(
        fmt::format("all {} nodes are considered here; a scheduler would stop at {} fitting nodes "
                    "and take the best of those (percentageOfNodesToScore)",
                    nodes, wanted));
  }
  return explanation;
}

}  // namespace berth::scheduling
