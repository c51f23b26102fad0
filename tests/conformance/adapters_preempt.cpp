// SPDX-License-Identifier: Apache-2.0

// Recorded preemptions: who may preempt, where it is tried, the victims, the chosen node.
#include <algorithm>
#include <string>
#include <vector>

#include "scheduling/preemption/preemption.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/scheduling_cycle.hpp"
#include "tests/conformance/scheduling_input.hpp"

namespace berth::conformance {

namespace {

namespace json = boost::json;
using scheduling::NodeIndex;
using scheduling::Preemption;
using scheduling::PreemptionCandidate;
using scheduling::Scheduler;
using scheduling::StatusCode;

std::vector<api::PodDisruptionBudget> read_budgets(const json::object& input) {
  std::vector<api::PodDisruptionBudget> budgets;
  const json::value* list = input.if_contains("pdbs");
  if (list == nullptr) return budgets;
  for (const json::value& value : list->as_array()) {
    budgets.push_back(read_object<api::PodDisruptionBudget>(value));
  }
  return budgets;
}

const std::string& name_of(const Scheduler& scheduler, NodeIndex node) {
  return scheduler.cluster().node(node).name;
}

std::string full_name(const Scheduler& scheduler, const scheduling::PodInfo& pod) {
  return scheduler.cluster().vocabulary().text_of(pod.namespace_) + "/" + pod.name;
}

json::array victims_of(const Scheduler& scheduler, const PreemptionCandidate& candidate) {
  json::array names;
  for (const scheduling::PodSlot slot : candidate.victims.pods) {
    names.emplace_back(full_name(scheduler, scheduler.cluster().pod(slot)));
  }
  return names;
}

void show_choice(json::object& out, const Scheduler& scheduler, const Preemption& preemption) {
  std::vector<std::string> nominated;
  for (const std::size_t place : preemption.best) {
    nominated.push_back(name_of(scheduler, preemption.candidates[place].node));
  }
  std::sort(nominated.begin(), nominated.end());
  out["nominatedNodes"] = json::value_from(nominated);
  // The consequences were recorded only if there is no other choice.
  if (preemption.best.size() != 1) return;
  const PreemptionCandidate& chosen = preemption.candidates[preemption.best.front()];
  out["victims"] = victims_of(scheduler, chosen);
  out["numPDBViolations"] = chosen.victims.budget_violations;
  std::vector<std::string> losers;
  for (const scheduling::PodInfo* pod : lower_priority_nominated(scheduler, chosen.node)) {
    losers.push_back(full_name(scheduler, *pod));
  }
  std::sort(losers.begin(), losers.end());
  if (!losers.empty()) out["lowerPriorityNominated"] = json::value_from(losers);
}

json::value run_preempt(const json::object& input) {
  scheduling::Cluster cluster;
  read_cluster(input, cluster);
  Scheduler scheduler(cluster, read_profile(input));
  const auto pod = read_object<api::Pod>(input.at("pod"));
  const scheduling::Decision decision = scheduler.decide(pod);
  const scheduling::DisruptionBudgets budgets(read_budgets(input), cluster);
  const Preemption preemption = scheduling::preempt(scheduler, budgets);

  json::object out{{"cycle", shown_cycle(scheduler, decision, CycleDetail::kWithoutPlugins)},
                   {"eligible", preemption.ineligible_reason.empty()},
                   {"postFilter", shown_status(preemption.post_filter)},
                   {"message", preemption.message}};
  if (!preemption.ineligible_reason.empty()) {
    out["ineligibleReason"] = preemption.ineligible_reason;
  }
  std::vector<std::string> potential;
  for (const NodeIndex node : preemption.potential_nodes) {
    potential.push_back(name_of(scheduler, node));
  }
  std::sort(potential.begin(), potential.end());
  out["potentialNodes"] = json::value_from(potential);
  json::object candidates;
  for (const PreemptionCandidate& candidate : preemption.candidates) {
    candidates[name_of(scheduler, candidate.node)] =
        json::object{{"victims", victims_of(scheduler, candidate)},
                     {"numPDBViolations", candidate.victims.budget_violations}};
  }
  if (!candidates.empty()) out["candidates"] = candidates;
  json::object statuses;
  for (const auto& [node, status] : preemption.statuses) {
    statuses[name_of(scheduler, node)] = shown_status(status);
  }
  if (!statuses.empty()) out["nodeStatuses"] = statuses;
  if (preemption.clears_nomination) out["clearNomination"] = true;
  show_choice(out, scheduler, preemption);
  return out;
}

}  // namespace

std::vector<Kind> preempt_kinds() {
  return {{.name = "preempt", .run = run_preempt}};
}

}  // namespace berth::conformance
