// SPDX-License-Identifier: Apache-2.0

// Recorded scheduling decisions: one pod's cycle, several in a row, how many nodes are considered.
#include <algorithm>
#include <string>
#include <vector>

#include "scheduling/cycle/sampling.hpp"
#include "tests/conformance/adapter.hpp"
#include "tests/conformance/scheduling_cycle.hpp"
#include "tests/conformance/scheduling_input.hpp"

namespace berth::conformance {

namespace {

namespace json = boost::json;
using scheduling::Decision;
using scheduling::NodeIndex;
using scheduling::Plugin;
using scheduling::Scheduler;
using scheduling::Status;
using scheduling::StatusCode;

// Clusters of this many nodes or more are sampled.
constexpr std::size_t kSampledFrom = 100;

const std::string& name_of(const Scheduler& scheduler, NodeIndex node) {
  return scheduler.cluster().node(node).name;
}

std::vector<std::string> sorted_names(const Scheduler& scheduler,
                                      std::span<const NodeIndex> nodes) {
  std::vector<std::string> names;
  for (const NodeIndex node : nodes) names.push_back(name_of(scheduler, node));
  std::sort(names.begin(), names.end());
  return names;
}

json::array names_of(scheduling::PluginSet plugins) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scheduling::kPlugins; ++i) {
    const auto plugin = static_cast<Plugin>(i);
    if (plugins.contains(plugin)) names.emplace_back(scheduling::name_of(plugin));
  }
  std::sort(names.begin(), names.end());
  return json::value_from(names).as_array();
}

json::object shown_pre_filter(const Scheduler& scheduler) {
  const scheduling::PreFilterResult& result = scheduler.filtering().pre_filter();
  json::object out = shown_status(result.status);
  if (result.status.code != StatusCode::kSuccess) return out;
  if (json::array skipped = names_of(result.skipped); !skipped.empty()) out["skipped"] = skipped;
  if (result.narrowed) out["nodeNames"] = json::value_from(*result.narrowed);
  return out;
}

json::object shown_plugins(const Scheduler& scheduler) {
  json::object out;
  for (std::size_t i = 0; i < scheduling::kPlugins; ++i) {
    const auto plugin = static_cast<Plugin>(i);
    json::object by_node;
    for (const NodeIndex node : scheduler.cluster().node_order()) {
      Status status = scheduler.filtering().status_of(node, plugin);
      if (status.code == StatusCode::kSuccess) continue;
      // Recorded once, above the nodes.
      status.plugin.clear();
      by_node[name_of(scheduler, node)] = shown_status(status);
    }
    if (!by_node.empty()) out[scheduling::name_of(plugin)] = by_node;
  }
  return out;
}

json::object shown_scores(Scheduler& scheduler) {
  if (!scheduler.score_by_all()) return {{"error", scheduler.scoring().error()}};
  json::object raw;
  json::object normalized;
  json::object weights;
  for (const scheduling::PluginScores& scores : scheduler.scoring().plugins()) {
    const auto plugin = scheduling::name_of(scores.plugin);
    json::object raw_by_node;
    json::object by_node;
    for (const NodeIndex node : scheduler.feasible()) {
      raw_by_node[name_of(scheduler, node)] = scores.raw_of(node);
      by_node[name_of(scheduler, node)] = scores.normalized_of(node);
    }
    raw[plugin] = raw_by_node;
    // For a plugin that does not count, only its raw input was recorded.
    if (scores.weight == 0) continue;
    normalized[plugin] = by_node;
    weights[plugin] = scores.weight;
  }
  json::object total;
  for (const NodeIndex node : scheduler.feasible()) {
    total[name_of(scheduler, node)] = scheduler.scoring().total(node);
  }
  json::object out{
      {"raw", raw}, {"normalized", normalized}, {"weights", weights}, {"total", total}};
  if (json::array skipped = names_of(scheduler.scoring().skipped()); !skipped.empty()) {
    out["skipped"] = skipped;
  }
  return out;
}

json::value run_cycle(const json::object& input) {
  scheduling::Cluster cluster;
  read_cluster(input, cluster);
  Scheduler scheduler(cluster, read_profile(input));
  const auto pod = read_object<api::Pod>(input.at("pod"));
  const Decision decision = scheduler.decide(pod);
  const bool sampled = cluster.node_order().size() >= kSampledFrom;
  return shown_cycle(scheduler, decision, sampled ? CycleDetail::kSampled : CycleDetail::kAll);
}

json::object run_step(scheduling::Cluster& cluster, Scheduler& scheduler, const api::Pod& pod) {
  const Decision decision = scheduler.decide(pod);
  json::object step{{"pod", scheduling::full_name_of(pod)}, {"feasible", decision.feasible}};
  if (decision.outcome == Decision::Outcome::kError) step["error"] = decision.message;
  if (decision.outcome == Decision::Outcome::kUnschedulable) step["message"] = decision.message;
  if (decision.outcome != Decision::Outcome::kPlaced) return step;
  const auto best = sorted_names(scheduler, decision.best);
  step["best"] = json::value_from(best);
  if (decision.total) step["total"] = *decision.total;
  step["picked"] = best.front();
  cluster.add_pod(scheduler.pod().info, best.front());
  return step;
}

json::value run_sequence(const json::object& input) {
  scheduling::Cluster cluster;
  read_cluster(input, cluster);
  Scheduler scheduler(cluster, read_profile(input));
  json::array steps;
  for (const json::value& value : input.at("sequence").as_array()) {
    steps.push_back(run_step(cluster, scheduler, read_object<api::Pod>(value)));
  }
  return json::object{{"steps", steps}};
}

json::value run_sampling(const json::object& input) {
  const auto nodes = input.at("nodes").to_number<std::int64_t>();
  const auto percentage = input.at("percentageOfNodesToScore").to_number<std::int32_t>();
  return json::object{
      {"numFeasibleNodesToFind", scheduling::feasible_nodes_wanted(nodes, percentage)}};
}

}  // namespace

json::object shown_status(const Status& status) {
  json::object out{{"code", scheduling::name_of(status.code)}};
  if (!status.plugin.empty()) out["plugin"] = status.plugin;
  if (!status.reasons.empty()) out["reasons"] = json::value_from(status.reasons);
  return out;
}

json::object shown_cycle(Scheduler& scheduler, const Decision& decision, CycleDetail detail) {
  json::object out{{"feasible", json::array()}};
  if (decision.outcome == Decision::Outcome::kError) out["error"] = decision.message;
  if (scheduler.cluster().node_order().empty()) return out;
  out["preFilter"] = shown_pre_filter(scheduler);
  const Status& before = scheduler.filtering().pre_filter().status;
  if (before.code == StatusCode::kError) {
    out["errorPlugin"] = before.plugin;
    return out;
  }
  // For a sampled cycle the order in which nodes were found is recorded.
  std::vector<std::string> feasible;
  for (const NodeIndex node : scheduler.feasible()) feasible.push_back(name_of(scheduler, node));
  if (detail != CycleDetail::kSampled) std::sort(feasible.begin(), feasible.end());
  out["feasible"] = json::value_from(feasible);
  if (detail != CycleDetail::kSampled) {
    json::object rejected;
    for (const NodeIndex node : scheduler.rejected()) {
      rejected[name_of(scheduler, node)] = shown_status(scheduler.filtering().status_of(node));
    }
    if (!rejected.empty()) out["rejected"] = rejected;
    if (scheduler.absent_status().code != StatusCode::kSuccess) {
      out["absent"] = shown_status(scheduler.absent_status());
    }
    if (feasible.empty()) out["message"] = decision.message;
  }
  if (detail == CycleDetail::kAll && before.code == StatusCode::kSuccess) {
    if (json::object plugins = shown_plugins(scheduler); !plugins.empty()) {
      out["pluginFilter"] = plugins;
    }
  }
  if (feasible.empty()) return out;
  if (decision.outcome == Decision::Outcome::kPlaced) {
    out["best"] = json::value_from(sorted_names(scheduler, decision.best));
  }
  out["score"] = shown_scores(scheduler);
  return out;
}

std::vector<Kind> cycle_kinds() {
  return {{.name = "cycle", .run = run_cycle},
          {.name = "sequence", .run = run_sequence},
          {.name = "sampling", .run = run_sampling}};
}

}  // namespace berth::conformance
