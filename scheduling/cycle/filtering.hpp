// SPDX-License-Identifier: Apache-2.0

// PreFilter and Filter: which nodes could take a pod, and why the others could not.
//
// Columns are kept between cycles and revised for what changed in the cluster. The results of one
// cycle are valid until the next prepare(), or until the cluster changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduling/cycle/inter_pod_filter.hpp"
#include "scheduling/cycle/placement_columns.hpp"
#include "scheduling/cycle/spread_filter.hpp"

namespace berth::scheduling {

struct PreFilterResult {
  Status status{};
  PluginSet skipped{};  // plugins whose Filter is skipped
  // The names of the only nodes that are considered, even if they do not exist; unset means all
  // nodes.
  std::optional<std::vector<std::string>> narrowed{};
};

// A node with a set of pods that differs from the present one: for preemption and nominations.
struct HypotheticalNode {
  NodeIndex node = 0;
  NodeUsage usage{};
  SpreadFilter::Change spread{};
  InterPodFilter::Change inter_pod{};
};

class Filtering {
 public:
  // The profile must outlive this.
  explicit Filtering(const Profile& profile) : profile_(profile), columns_(profile) {}

  // Runs PreFilter and, unless that rejects, the filters of all nodes.
  void prepare(const Cluster& cluster, const IncomingPod& pod, Topologies& topologies,
               SpreadColumns& spread_columns);

  [[nodiscard]] const PreFilterResult& pre_filter() const { return pre_filter_; }
  // Rejections by each plugin alone, including disabled ones; ignores nominations.
  [[nodiscard]] std::span<const Rejections> by_plugin() const { return by_plugin_; }
  // Rejections by the filters of the profile, including nominated pods; 0 if the node could take
  // the pod.
  [[nodiscard]] std::span<const Rejections> rejections() const { return rejections_; }

  [[nodiscard]] HypotheticalNode hypothetical(NodeIndex node) const;
  void add(HypotheticalNode& node, const PodInfo& pod) const;
  // Frees the pod's ports even if another pod on the node has the same ones, as Kubernetes does
  // when it tries a node without a pod.
  void remove(HypotheticalNode& node, const PodInfo& pod) const;
  // Checks the node both with the nominated pods that count and without them.
  [[nodiscard]] Rejections rejections_of(const HypotheticalNode& node) const;

  // The variant of the node that decides: with the nominated pods that count if that is rejected,
  // else without them.
  [[nodiscard]] HypotheticalNode judged(const HypotheticalNode& node) const;
  [[nodiscard]] const SpreadFilter& spread() const { return spread_; }
  [[nodiscard]] const InterPodFilter& inter_pod() const { return inter_pod_; }

  // The first reason for which a node is rejected, in words; Success if there is none.
  [[nodiscard]] Status status_of(NodeIndex node) const;
  [[nodiscard]] Status status_of(const HypotheticalNode& node) const;
  // The same for one plugin alone.
  [[nodiscard]] Status status_of(NodeIndex node, Plugin plugin) const;

  [[nodiscard]] PlacementColumns& columns() { return columns_; }
  // Must be called between decisions: drops columns not used recently, and all columns that are
  // looked up by the cluster's ids or count by topology domains.
  void trim();
  void clear_by_id() {
    columns_.clear_by_id();
    inter_pod_columns_.clear();
  }

 private:
  void run_pre_filters(Topologies& topologies, SpreadColumns& spread_columns);
  void run_filters(std::size_t nodes);
  void look_at_nominations();
  void apply(HypotheticalNode& node, const PodInfo& pod, std::int64_t sign) const;
  [[nodiscard]] bool counts_as_nominated(const Cluster::Nomination& nomination) const;
  [[nodiscard]] Rejections alone(const HypotheticalNode& node) const;
  // `std::nullopt` if no nominated pod counts there.
  [[nodiscard]] std::optional<HypotheticalNode> with_nominated(const HypotheticalNode& node) const;
  [[nodiscard]] bool has_nominated(NodeIndex node) const;
  [[nodiscard]] Status status_of(Rejections rejections, const NodeFacts& facts,
                                 const NodeUsage& usage) const;

  const Cluster* cluster_ = nullptr;
  const IncomingPod* pod_ = nullptr;
  const Profile& profile_;
  PreFilterResult pre_filter_{};
  PlacementColumns columns_;
  InterPodColumns inter_pod_columns_{};
  const NodeColumn<Rejections>* placement_ = nullptr;
  SpreadFilter spread_{};
  InterPodFilter inter_pod_{};
  std::vector<Rejections> by_plugin_{};
  std::vector<Rejections> rejections_{};
};

}  // namespace berth::scheduling
