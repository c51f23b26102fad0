// SPDX-License-Identifier: Apache-2.0

// Verdicts and scores that depend only on a node's object, ports and resources: columns shared by
// all pods with the same requirements.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scheduling/cycle/column_cache.hpp"
#include "scheduling/cycle/incoming_pod.hpp"
#include "scheduling/cycle/node_column.hpp"
#include "scheduling/cycle/rejection.hpp"

namespace berth::scheduling {

// The fit and the two scores for one set of requests.
class ResourceColumn {
 public:
  void revise(const Cluster& cluster, const IncomingPod& pod, const Profile& profile);

  [[nodiscard]] const std::vector<Rejections>& rejections() const { return rejections_; }
  [[nodiscard]] const std::vector<std::uint8_t>& fit_scores() const { return fit_scores_; }
  [[nodiscard]] const std::vector<std::uint8_t>& balanced_scores() const {
    return balanced_scores_;
  }

 private:
  std::vector<Rejections> rejections_{};
  std::vector<std::uint8_t> fit_scores_{};
  std::vector<std::uint8_t> balanced_scores_{};
  LogFollower follower_{};
};

// Image scores depend on the images of all nodes, so any change there recomputes all of them.
struct ImageColumn {
  NodeColumn<std::uint8_t> scores{};
  std::uint64_t image_changes = 0;
  std::size_t nodes = 0;
};

class PlacementColumns {
 public:
  // The profile must outlive this.
  explicit PlacementColumns(const Profile& profile);

  // Must be called between decisions: drops columns not used recently, or those looked up by the
  // cluster's ids.
  void trim();
  void clear_by_id() { images_.clear(); }

  // Rejections by NodeUnschedulable, NodeName, TaintToleration and NodeAffinity.
  const NodeColumn<Rejections>& placement(const Cluster& cluster, const IncomingPod& pod);
  // Rejections by NodePorts; null for a pod without host ports.
  const NodeColumn<Rejections>* ports(const Cluster& cluster, const IncomingPod& pod);
  const ResourceColumn& resources(const Cluster& cluster, const IncomingPod& pod);

  // Raw scores.
  const NodeColumn<std::int64_t>& intolerable_taints(const Cluster& cluster,
                                                     const IncomingPod& pod);
  // The pod's preferred terms must be valid.
  const NodeColumn<std::int64_t>& preferred_affinity(const Cluster& cluster, const IncomingPod& pod,
                                                     const PreferredNodeTerms& added);
  const NodeColumn<std::uint8_t>& images(const Cluster& cluster, const IncomingPod& pod);

 private:
  static constexpr std::size_t kMost = 512;  // columns per kind

  const Profile& profile_;
  std::optional<NodeTerms> added_affinity_{};  // the profile's, required
  ColumnCache<NodeColumn<Rejections>> placement_{kMost};
  ColumnCache<NodeColumn<Rejections>> ports_{kMost};
  ColumnCache<ResourceColumn> resources_{kMost};
  ColumnCache<NodeColumn<std::int64_t>> taints_{kMost};
  ColumnCache<NodeColumn<std::int64_t>> preferred_{kMost};
  ColumnCache<ImageColumn> images_{kMost};
};

// Rejections of one node by the placement filters.
[[nodiscard]] Rejections placement_rejections(const NodeInfo& node, const IncomingPod& pod,
                                              const NodeTerms* added);
[[nodiscard]] Rejections port_rejections(const NodeUsage& usage, const IncomingPod& pod);
[[nodiscard]] Rejections resource_rejections(const NodeFacts& facts, const NodeUsage& usage,
                                             const IncomingPod& pod);

}  // namespace berth::scheduling
