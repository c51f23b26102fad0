// SPDX-License-Identifier: Apache-2.0

#include "ctl/schedule/explain_json.hpp"

#include <boost/json.hpp>

#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

namespace json = boost::json;
using scheduling::NodeVerdict;
using scheduling::Placement;
using scheduling::PlacementExplanation;
using scheduling::Refusal;

const char* word_of(Placement placement) {
  switch (placement) {
    case Placement::kFits:
      return "Fits";
    case Placement::kDoesNotFit:
      return "DoesNotFit";
    case Placement::kGated:
      return "Gated";
    case Placement::kBroken:
      return "Error";
  }
  return "Error";
}

json::array texts(const std::vector<std::string>& list) {
  return json::array(list.begin(), list.end());
}

// cpu in thousandths, as the scheduler counts it.
json::object shortage_json(const Refusal::Short& one) {
  return {{"resource", one.resource == "cpu" ? "milliCPU" : one.resource},
          {"requested", one.requested},
          {"used", one.used},
          {"capacity", one.capacity}};
}

json::object refusal_json(const Refusal& refusal) {
  json::object out{
      {"plugin", refusal.plugin},
      {"code", refusal.is_unresolvable ? "UnschedulableAndUnresolvable" : "Unschedulable"},
      {"reasons", texts(refusal.reasons)},
      {"values", texts(refusal.values)},
      {"changes", texts(refusal.changes)}};
  if (refusal.shortages.empty()) return out;
  json::array shortages;
  for (const Refusal::Short& one : refusal.shortages) shortages.push_back(shortage_json(one));
  out["shortages"] = std::move(shortages);
  return out;
}

json::object node_json(const NodeVerdict& node, const PlacementExplanation& explanation) {
  json::object out{{"name", node.node}, {"fits", node.fits()}};
  if (!node.refusals.empty()) {
    json::array refusals;
    for (const Refusal& refusal : node.refusals) refusals.push_back(refusal_json(refusal));
    out["refusals"] = std::move(refusals);
  }
  if (!node.total) return out;
  json::array scores;
  for (std::size_t i = 0; i < node.scores.size(); ++i) {
    const auto& [raw, normalized] = node.scores[i];
    scores.push_back(json::object{{"plugin", explanation.plugins[i].name},
                                  {"weight", explanation.plugins[i].weight},
                                  {"raw", raw},
                                  {"normalized", normalized},
                                  {"weighted", normalized * explanation.plugins[i].weight}});
  }
  out["scores"] = std::move(scores);
  out["total"] = *node.total;
  return out;
}

json::object preemption_json(const scheduling::PreemptionOutlook& outlook) {
  json::array candidates;
  for (const auto& candidate : outlook.candidates) {
    json::array victims;
    for (const auto& victim : candidate.victims) {
      victims.push_back(json::object{{"pod", victim.pod}, {"priority", victim.priority}});
    }
    candidates.push_back(json::object{{"node", candidate.node},
                                      {"best", candidate.is_best},
                                      {"victims", std::move(victims)},
                                      {"budgetViolations", candidate.budget_violations}});
  }
  json::object out{{"helps", !outlook.candidates.empty()},
                   {"triedNodes", outlook.tried_nodes},
                   {"candidates", std::move(candidates)}};
  if (!outlook.ineligible.empty()) out["ineligible"] = outlook.ineligible;
  return out;
}

json::object spread_json(const scheduling::SpreadTable& table) {
  json::array domains;
  for (const auto& domain : table.domains) {
    domains.push_back(json::object{{"value", domain.value},
                                   {"nodes", domain.nodes},
                                   {"fittingNodes", domain.fitting_nodes},
                                   {"pods", domain.pods},
                                   {"skew", domain.skew},
                                   {"allowed", domain.is_allowed}});
  }
  return {{"constraint", table.field},
          {"topologyKey", table.topology_key},
          {"whenUnsatisfiable", table.when_unsatisfiable},
          {"selector", table.selector},
          {"maxSkew", table.max_skew},
          {"minDomains", table.min_domains},
          {"minimum", table.minimum},
          {"countsItself", table.counts_itself},
          {"domains", std::move(domains)},
          {"nodesWithoutKey", table.nodes_without_key},
          {"nodesLeftOut", table.nodes_left_out}};
}

}  // namespace

json::value explain_json(const PlacementExplanation& explanation) {
  json::array nodes;
  for (const NodeVerdict& node : explanation.nodes) nodes.push_back(node_json(node, explanation));
  json::array spread;
  for (const auto& table : explanation.spread) spread.push_back(spread_json(table));
  json::object out{
      {"apiVersion", kReportVersion},
      {"kind", "ScheduleExplanation"},
      {"pod", explanation.pod},
      {"verdict", word_of(explanation.placement)},
      {"requests", explanation.requests},
      {"priority", explanation.priority},
      {"schedulerName", explanation.scheduler},
      {"event", {{"reason", explanation.event_reason}, {"message", explanation.message}}},
      {"best", texts(explanation.best)},
      {"fittingNodes", explanation.fitting},
      {"nodes", std::move(nodes)},
      {"spread", std::move(spread)},
      {"warnings", texts(explanation.warnings)},
      {"notes", texts(explanation.notes)}};
  if (explanation.preemption) out["preemption"] = preemption_json(*explanation.preemption);
  return out;
}

}  // namespace berth::ctl
