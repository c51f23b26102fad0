// SPDX-License-Identifier: Apache-2.0

// InterPodAffinity as a filter: required affinity and anti-affinity of the incoming pod, and
// required anti-affinity of existing pods.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scheduling/cycle/column_cache.hpp"
#include "scheduling/cycle/incoming_pod.hpp"
#include "scheduling/cycle/inter_pod_terms.hpp"
#include "scheduling/cycle/pod_contributions.hpp"
#include "scheduling/cycle/rejection.hpp"

namespace berth::scheduling {

// Columns shared by pods with the same namespace and labels, or with the same terms.
class InterPodColumns {
 public:
  // Existing pods' required anti-affinity terms that match the incoming pod.
  const PodContributions& existing_anti_affinity(const Cluster& cluster, const IncomingPod& pod,
                                                 Topologies& topologies);
  // Existing pods that match all required affinity terms of the incoming pod.
  const PodContributions& affinity(const Cluster& cluster, const IncomingPod& pod,
                                   Topologies& topologies);
  // Existing pods that match one of the incoming pod's required anti-affinity terms.
  const PodContributions& anti_affinity(const Cluster& cluster, const IncomingPod& pod,
                                        Topologies& topologies);

  // Must be called between decisions: drops columns not used recently, or all.
  void trim();
  void clear();

 private:
  static constexpr std::size_t kMost = 256;  // columns per kind

  ColumnCache<PodContributions> existing_{kMost};
  ColumnCache<PodContributions> affinity_{kMost};
  ColumnCache<PodContributions> anti_affinity_{kMost};
};

class InterPodFilter {
 public:
  // How much more (or less) would be contributed at one node, by topology key.
  using Amounts = std::vector<std::pair<NameId, std::int64_t>>;
  struct Change {
    Amounts existing{};
    Amounts affinity{};
    Amounts anti_affinity{};
  };

  void prepare(const Cluster& cluster, const IncomingPod& pod, InterPodColumns& columns,
               Topologies& topologies);
  [[nodiscard]] bool is_skipped() const;

  // Adds this filter's rejections to those of every node.
  void reject(std::span<Rejections> rejections) const;
  // For one node whose pods would change.
  [[nodiscard]] Rejections rejections_of(NodeIndex node, const Change& change) const;

  // The topology key for which a node is rejected with this reason; `std::nullopt` if it is not.
  [[nodiscard]] std::optional<NameId> key_of(Rejection rejection, NodeIndex node,
                                             const Change& change) const;

  // Adds to `change` a pod that arrives on a node (sign 1) or leaves it (-1).
  void apply(Change& change, NodeIndex node, const PodInfo& pod, std::int64_t sign) const;

 private:
  [[nodiscard]] std::optional<NameId> missed_affinity(NodeIndex node, const Change& change) const;
  [[nodiscard]] bool none_to_be_near(const Change& change) const;

  const Cluster* cluster_ = nullptr;
  const AffinityTerms* terms_ = nullptr;
  PodLabels labels_{};
  bool means_itself_ = false;  // all its required affinity terms match the pod itself
  std::vector<const Topology*> affinity_topologies_{};  // one per required affinity term
  const PodContributions* existing_ = nullptr;
  const PodContributions* affinity_ = nullptr;
  const PodContributions* anti_affinity_ = nullptr;
};

}  // namespace berth::scheduling
