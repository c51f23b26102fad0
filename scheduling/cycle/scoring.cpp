// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/scoring.hpp"

#include <algorithm>
#include <limits>

#include "scheduling/cycle/normalize.hpp"
#include "scheduling/cycle/resource_score.hpp"

namespace berth::scheduling {

struct Scoring::Run {
  const Cluster& cluster;
  const IncomingPod& pod;
  std::span<const NodeIndex> feasible;
  PluginSet plugins;
  PlacementColumns& columns;
  Topologies& topologies;
  SpreadColumns& spread_columns;
};

namespace {

const std::vector<api::PreferredSchedulingTerm>& added_preferences(const Profile& profile) {
  static const std::vector<api::PreferredSchedulingTerm> kNone;
  const auto& added = profile.node_affinity.addedAffinity;
  return added ? added->preferredDuringSchedulingIgnoredDuringExecution : kNone;
}

std::string pre_score_error(Plugin plugin, const std::string& text) {
  return "running PreScore plugin \"" + std::string(name_of(plugin)) + "\": " + text;
}

}  // namespace

Scoring::Scoring(const Profile& profile) : profile_(profile) {
  auto added = PreferredNodeTerms::parse(added_preferences(profile));
  if (added) {
    added_terms_ = std::move(*added);
  } else {
    added_problem_ = std::move(added.error());
  }
}

void Scoring::trim() {
  plugins_.clear();
  skipped_ = {};
  inter_pod_.trim();
}

bool Scoring::run(const Cluster& cluster, const IncomingPod& pod,
                  std::span<const NodeIndex> feasible, PluginSet plugins, PlacementColumns& columns,
                  Topologies& topologies, SpreadColumns& spread_columns) {
  error_.clear();
  skipped_ = {};
  plugins_.clear();
  if (!check_pre_score(pod) || !check_score(pod, plugins)) return false;
  const Run run{.cluster = cluster,
                .pod = pod,
                .feasible = feasible,
                .plugins = plugins,
                .columns = columns,
                .topologies = topologies,
                .spread_columns = spread_columns};
  score_taints(run);
  score_node_affinity(run);
  score_resources(run);
  score_spread(run);
  score_inter_pod(run);
  score_images(run);
  sum(cluster.node_slots());
  return true;
}

// An error here ends the cycle, even if the plugin's score would not count.
bool Scoring::check_pre_score(const IncomingPod& pod) {
  const PluginSet& plugins = profile_.pre_scores;
  if (plugins.contains(Plugin::kNodeAffinity)) {
    if (const std::string problem = preferences_problem(pod); !problem.empty()) {
      error_ = pre_score_error(Plugin::kNodeAffinity, problem);
    }
  }
  if (error_.empty() && plugins.contains(Plugin::kPodTopologySpread) && !pod.spread.soft) {
    error_ = pre_score_error(
        Plugin::kPodTopologySpread,
        "calculating preScoreState: obtaining pod's soft topology spread constraints: " +
            pod.spread.soft.error());
  }
  return error_.empty();
}

// Without its PreScore, NodeAffinity parses the preferences when it scores.
bool Scoring::check_score(const IncomingPod& pod, PluginSet plugins) {
  constexpr Plugin kPlugin = Plugin::kNodeAffinity;
  const std::string problem = preferences_problem(pod);
  if (!plugins.contains(kPlugin) || problem.empty()) return true;
  error_ = "running Score plugins: plugin \"" + std::string(name_of(kPlugin)) +
           "\" failed with: " + problem;
  return false;
}

std::string Scoring::preferences_problem(const IncomingPod& pod) const {
  return pod.preferred_affinity ? added_problem_ : pod.preferred_affinity.error();
}

Scoring::Scratch& Scoring::scratch(Plugin plugin, std::size_t nodes) {
  Scratch& place = scratch_[static_cast<std::size_t>(plugin)];
  place.raw.resize(nodes);
  place.normalized.resize(nodes);
  return place;
}

void Scoring::score_taints(const Run& run) {
  constexpr Plugin kPlugin = Plugin::kTaintToleration;
  if (!run.plugins.contains(kPlugin)) return;
  const auto& column = run.columns.intolerable_taints(run.cluster, run.pod);
  PluginScores scores{.plugin = kPlugin, .weight = profile_.weight(kPlugin), .same = 100};
  if (!column.is_all_zero()) {
    Scratch& place = scratch(kPlugin, run.cluster.node_slots());
    normalize_by_largest(run.feasible, column.data(), Direction::kLessIsBetter,
                         place.normalized.data());
    scores.raw = column.data();
    scores.normalized = place.normalized.data();
  }
  plugins_.push_back(scores);
}

void Scoring::score_node_affinity(const Run& run) {
  constexpr Plugin kPlugin = Plugin::kNodeAffinity;
  if (preferred_node_terms(run.pod.object->spec.affinity).empty() &&
      added_preferences(profile_).empty()) {
    skipped_.insert(kPlugin);
    return;
  }
  if (!run.plugins.contains(kPlugin)) return;
  const auto& column = run.columns.preferred_affinity(run.cluster, run.pod, added_terms_);
  Scratch& place = scratch(kPlugin, run.cluster.node_slots());
  normalize_by_largest(run.feasible, column.data(), Direction::kMoreIsBetter,
                       place.normalized.data());
  plugins_.push_back({.plugin = kPlugin,
                      .weight = profile_.weight(kPlugin),
                      .normalized = place.normalized.data(),
                      .raw = column.data()});
}

void Scoring::score_resources(const Run& run) {
  const ResourceColumn& column = run.columns.resources(run.cluster, run.pod);
  if (run.plugins.contains(Plugin::kNodeResourcesFit)) {
    plugins_.push_back({.plugin = Plugin::kNodeResourcesFit,
                        .weight = profile_.weight(Plugin::kNodeResourcesFit),
                        .normalized = column.fit_scores().data()});
  }
  constexpr Plugin kBalanced = Plugin::kNodeResourcesBalancedAllocation;
  if (!requests_any(profile_.balanced_allocation.resources, run.pod.requests)) {
    skipped_.insert(kBalanced);
  } else if (run.plugins.contains(kBalanced)) {
    plugins_.push_back({.plugin = kBalanced,
                        .weight = profile_.weight(kBalanced),
                        .normalized = column.balanced_scores().data()});
  }
}

void Scoring::score_spread(const Run& run) {
  constexpr Plugin kPlugin = Plugin::kPodTopologySpread;
  if (!run.pod.spread.soft || run.pod.spread.soft->empty()) {
    skipped_.insert(kPlugin);
    return;
  }
  if (!run.plugins.contains(kPlugin)) return;
  spread_.prepare(run.cluster, run.pod, run.feasible, run.spread_columns, run.topologies);
  Scratch& place = scratch(kPlugin, run.cluster.node_slots());
  spread_.score(run.feasible, place.raw);
  normalize_spread(run.feasible, place.raw.data(), spread_.ignored(), place.normalized.data());
  plugins_.push_back({.plugin = kPlugin,
                      .weight = profile_.weight(kPlugin),
                      .normalized = place.normalized.data(),
                      .raw = place.raw.data()});
}

void Scoring::score_inter_pod(const Run& run) {
  constexpr Plugin kPlugin = Plugin::kInterPodAffinity;
  const PodContributions* contributions =
      inter_pod_.prepare(run.cluster, run.pod, profile_.inter_pod_affinity, run.topologies);
  if (contributions == nullptr) {
    skipped_.insert(kPlugin);
    return;
  }
  if (!run.plugins.contains(kPlugin)) return;
  Scratch& place = scratch(kPlugin, run.cluster.node_slots());
  for (const NodeIndex node : run.feasible) {
    place.raw[node] = raw_inter_pod_score(*contributions, node);
  }
  normalize_range(run.feasible, place.raw.data(), place.normalized.data());
  plugins_.push_back({.plugin = kPlugin,
                      .weight = profile_.weight(kPlugin),
                      .normalized = place.normalized.data(),
                      .raw = place.raw.data()});
}

void Scoring::score_images(const Run& run) {
  constexpr Plugin kPlugin = Plugin::kImageLocality;
  if (!run.plugins.contains(kPlugin)) return;
  const auto& column = run.columns.images(run.cluster, run.pod);
  plugins_.push_back({.plugin = kPlugin,
                      .weight = profile_.weight(kPlugin),
                      .normalized = column.is_all_zero() ? nullptr : column.data()});
}

void Scoring::sum(std::size_t nodes) {
  std::int64_t same = 0;
  for (const PluginScores& one : plugins_) {
    if (one.normalized == nullptr) same += one.weight * one.same;
  }
  totals_.assign(nodes, same);
  for (const PluginScores& one : plugins_) {
    if (one.normalized == nullptr || one.weight == 0) continue;
    for (std::size_t i = 0; i < nodes; ++i) totals_[i] += one.weight * one.normalized[i];
  }
}

std::vector<NodeIndex> Scoring::best(std::span<const NodeIndex> feasible) const {
  std::vector<NodeIndex> nodes;
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (const NodeIndex node : feasible) {
    if (totals_[node] < most) continue;
    if (totals_[node] > most) nodes.clear();
    most = totals_[node];
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace berth::scheduling
