// SPDX-License-Identifier: Apache-2.0

#include "scheduling/preemption/preemption.hpp"

#include <algorithm>

#include "scheduling/cycle/failure_text.hpp"
#include "scheduling/cycle/histogram.hpp"

namespace berth::scheduling {
namespace {

constexpr const char* kNever = "not eligible due to preemptionPolicy=Never.";
constexpr const char* kTerminating = "not eligible due to a terminating pod on the nominated node.";
// berth's own text: Kubernetes has none for this case.
constexpr const char* kSwitchedOff = "the profile switches DefaultPreemption off";
constexpr const char* kNotHelpful = "Preemption is not helpful for scheduling";
// The message of DynamicResources, which runs before and cannot help either.
constexpr const char* kNoClaims = "no new claims to deallocate";

StatusCode code_of_rejected(const Scheduler& scheduler, NodeIndex node) {
  return rule_of(first_of(scheduler.filtering().rejections()[node])).code;
}

// The status code of a node in the last cycle; for a node that was not considered, the common
// status of all such nodes.
StatusCode code_of(const Scheduler& scheduler, NodeIndex node) {
  const auto rejected = scheduler.rejected();
  const bool looked_at = std::find(rejected.begin(), rejected.end(), node) != rejected.end();
  return looked_at ? code_of_rejected(scheduler, node) : scheduler.absent_status().code;
}

std::string ineligible_reason(const Scheduler& scheduler) {
  if (!scheduler.profile().preempts) return kSwitchedOff;
  const api::Pod& pod = *scheduler.pod().object;
  if (pod.spec.preemptionPolicy == "Never") return kNever;
  const auto nominated = scheduler.cluster().find_node(pod.status.nominatedNodeName);
  if (!nominated) return {};
  if (code_of(scheduler, *nominated) == StatusCode::kUnschedulableAndUnresolvable) return {};
  const Cluster& cluster = scheduler.cluster();
  const auto& pods = cluster.node(*nominated).pods;
  const bool waits = std::any_of(pods.begin(), pods.end(), [&](const NodePod& one) {
    const PodInfo& other = cluster.pod(one.slot);
    return other.ending == PodEnding::kPreempted && other.priority < scheduler.pod().info.priority;
  });
  return waits ? kTerminating : "";
}

std::vector<NodeIndex> potential_nodes(const Scheduler& scheduler) {
  std::vector<NodeIndex> nodes;
  for (const NodeIndex node : scheduler.rejected()) {
    if (code_of_rejected(scheduler, node) == StatusCode::kUnschedulable) nodes.push_back(node);
  }
  return nodes;
}

std::size_t candidates_wanted(std::size_t nodes, const DefaultPreemptionArgs& args) {
  const auto share = nodes * static_cast<std::size_t>(args.minCandidateNodesPercentage) / 100;
  return std::min(nodes, std::max(share, static_cast<std::size_t>(args.minCandidateNodesAbsolute)));
}

void try_nodes(Preemption& preemption, const Scheduler& scheduler, const DisruptionBudgets& budgets,
               std::size_t offset) {
  const auto& nodes = preemption.potential_nodes;
  const std::size_t wanted = candidates_wanted(nodes.size(), scheduler.profile().preemption);
  bool any_without_violation = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeIndex node = nodes[(offset + i) % nodes.size()];
    auto victims = victims_on(scheduler, node, budgets);
    if (!victims) {
      preemption.statuses.emplace_back(node, std::move(victims.error()));
      continue;
    }
    if (victims->pods.empty()) {
      preemption.statuses.emplace_back(
          node, Status{.code = StatusCode::kError,
                       .reasons = {"expected at least one victim pod on node \"" +
                                   scheduler.cluster().node(node).name + "\""}});
      continue;
    }
    any_without_violation |= victims->budget_violations == 0;
    preemption.candidates.push_back({.node = node, .victims = std::move(*victims)});
    if (any_without_violation && preemption.candidates.size() >= wanted) return;
  }
}

// `why`: DefaultPreemption's message; empty if it is disabled.
Status no_help(const std::string& why) {
  Status status{
      .code = StatusCode::kUnschedulable, .plugin = "DynamicResources", .reasons = {kNoClaims}};
  if (!why.empty()) status.reasons.push_back("preemption: " + why);
  return status;
}

std::string nothing_found(const Preemption& preemption, const Scheduler& scheduler) {
  const std::size_t all = scheduler.cluster().node_order().size();
  ReasonHistogram histogram;
  for (const auto& [node, status] : preemption.statuses) histogram.add(status, 1);
  histogram.add({.reasons = {kNotHelpful}}, all - preemption.statuses.size());
  return "0/" + std::to_string(all) + " nodes are available:" + histogram.to_string();
}

// The message for a pod that preemption did not help.
std::string what_preemption_says(const Preemption& preemption, const Scheduler& scheduler) {
  if (!scheduler.profile().preempts) return {};
  return preemption.ineligible_reason.empty() ? nothing_found(preemption, scheduler)
                                              : preemption.ineligible_reason;
}

std::string joined(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : ", ") + reason;
  return text;
}

}  // namespace

Preemption preempt(const Scheduler& scheduler, const DisruptionBudgets& budgets,
                   std::size_t offset) {
  Preemption preemption{.ineligible_reason = ineligible_reason(scheduler),
                        .potential_nodes = potential_nodes(scheduler)};
  if (preemption.ineligible_reason.empty()) {
    try_nodes(preemption, scheduler, budgets, offset);
    preemption.best = best_candidates(preemption.candidates, scheduler.cluster());
    preemption.clears_nomination = preemption.best.empty();
  }
  if (preemption.best.empty()) {
    preemption.post_filter = no_help(what_preemption_says(preemption, scheduler));
  }
  preemption.message = failure_text(scheduler, joined(preemption.post_filter.reasons));
  return preemption;
}

std::vector<const PodInfo*> lower_priority_nominated(const Scheduler& scheduler, NodeIndex node) {
  std::vector<const PodInfo*> pods;
  for (const Cluster::Nomination& nomination : scheduler.cluster().nominations()) {
    const PodInfo& pod = nomination.pod;
    if (nomination.node == node && pod.priority < scheduler.pod().info.priority) {
      pods.push_back(&pod);
    }
  }
  return pods;
}

}  // namespace berth::scheduling
