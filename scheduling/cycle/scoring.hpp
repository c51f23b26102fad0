// SPDX-License-Identifier: Apache-2.0

// PreScore and Score: the scores of feasible nodes, per plugin and in total.
//
// The results of one cycle are valid until the next run(), or until the cluster changes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scheduling/cycle/inter_pod_score.hpp"
#include "scheduling/cycle/placement_columns.hpp"
#include "scheduling/cycle/spread_score.hpp"

namespace berth::scheduling {

// The scores of one plugin; a single number if all nodes have the same score.
struct PluginScores {
  Plugin plugin = Plugin::kNodeResourcesFit;
  std::int64_t weight = 0;
  std::uint8_t same = 0;
  const std::uint8_t* normalized = nullptr;  // by node
  std::int64_t same_raw = 0;
  const std::int64_t* raw = nullptr;  // by node; null while `normalized` is set: the two are equal

  [[nodiscard]] std::int64_t raw_of(NodeIndex node) const {
    if (raw != nullptr) return raw[node];
    return normalized != nullptr ? normalized[node] : same_raw;
  }
  [[nodiscard]] std::int64_t normalized_of(NodeIndex node) const {
    return normalized != nullptr ? normalized[node] : same;
  }
};

class Scoring {
 public:
  explicit Scoring(const Profile& profile);

  // Scores with the plugins in `plugins`. Returns false if PreScore or Score ended in an error().
  bool run(const Cluster& cluster, const IncomingPod& pod, std::span<const NodeIndex> feasible,
           PluginSet plugins, PlacementColumns& columns, Topologies& topologies,
           SpreadColumns& spread_columns);

  // Must be called between decisions, like Filtering's. Invalidates the last results.
  void trim();
  void clear_by_id() { inter_pod_.clear(); }

  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] PluginSet skipped() const { return skipped_; }
  [[nodiscard]] const std::vector<PluginScores>& plugins() const { return plugins_; }
  [[nodiscard]] std::int64_t total(NodeIndex node) const { return totals_[node]; }
  // The feasible nodes with the highest total, in the order of `feasible`.
  [[nodiscard]] std::vector<NodeIndex> best(std::span<const NodeIndex> feasible) const;

 private:
  struct Scratch {
    std::vector<std::int64_t> raw{};
    std::vector<std::uint8_t> normalized{};
  };
  struct Run;

  bool check_pre_score(const IncomingPod& pod);
  bool check_score(const IncomingPod& pod, PluginSet plugins);
  // The error of the pod's or the profile's preferred terms; empty if there is none.
  [[nodiscard]] std::string preferences_problem(const IncomingPod& pod) const;
  void score_taints(const Run& run);
  void score_node_affinity(const Run& run);
  void score_resources(const Run& run);
  void score_spread(const Run& run);
  void score_inter_pod(const Run& run);
  void score_images(const Run& run);
  void sum(std::size_t nodes);
  Scratch& scratch(Plugin plugin, std::size_t nodes);

  const Profile& profile_;
  PreferredNodeTerms added_terms_{};
  std::string added_problem_{};
  InterPodScore inter_pod_{};
  SpreadScore spread_{};
  std::array<Scratch, kPlugins> scratch_{};
  std::string error_{};
  PluginSet skipped_{};
  std::vector<PluginScores> plugins_{};
  std::vector<std::int64_t> totals_{};
};

}  // namespace berth::scheduling
