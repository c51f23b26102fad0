// InterPodAffinity as a filter: required affinity and anti-affinity of the pod that is placed, and
// required anti-affinity of those that are there.
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

// Columns shared by the pods of the same namespace and labels, or with the same terms.
class InterPodColumns {
 public:
  // Required anti-affinity of pods that are there and means the pod that is placed.
  const PodContributions& existing_anti_affinity(const Cluster& cluster, const IncomingPod& pod,
                                                 Topologies& topologies);
  // Pods that are there and that all required affinity terms of the pod mean.
  const PodContributions& affinity(const Cluster& cluster, const IncomingPod& pod,
                                   Topologies& topologies);
  // Pods that are there and that one of the required anti-affinity terms of the pod means.
  const PodContributions& anti_affinity(const Cluster& cluster, const IncomingPod& pod,
                                        Topologies& topologies);

  // Between decisions: lets go of what was not asked for lately, or of all.
  void trim();
  void clear();

 private:
  static constexpr std::size_t kMost = 256;  // columns of a kind

  ColumnCache<PodContributions> existing_{kMost};
  ColumnCache<PodContributions> affinity_{kMost};
  ColumnCache<PodContributions> anti_affinity_{kMost};
};

class InterPodFilter {
 public:
  // What would be contributed more (or less) at one node, by topology key.
  using Amounts = std::vector<std::pair<NameId, std::int64_t>>;
  struct Change {
    Amounts existing{};
    Amounts affinity{};
    Amounts anti_affinity{};
  };

  void prepare(const Cluster& cluster, const IncomingPod& pod, InterPodColumns& columns,
               Topologies& topologies);
  [[nodiscard]] bool is_skipped() const;

  // Adds to the rejections of every node.
  void reject(std::span<Rejections> rejections) const;
  // Of one node, on which pods would change.
  [[nodiscard]] Rejections rejections_of(NodeIndex node, const Change& change) const;

  // The topology key under which a node is rejected for this reason; none if it is not.
  [[nodiscard]] std::optional<NameId> key_of(Rejection rejection, NodeIndex node,
                                             const Change& change) const;

  // A pod that comes to a node (sign 1) or leaves it (-1).
  void apply(Change& change, NodeIndex node, const PodInfo& pod, std::int64_t sign) const;

 private:
  [[nodiscard]] std::optional<NameId> missed_affinity(NodeIndex node, const Change& change) const;
  [[nodiscard]] bool none_to_be_near(const Change& change) const;

  const Cluster* cluster_ = nullptr;
  const AffinityTerms* terms_ = nullptr;
  PodLabels labels_{};
  bool means_itself_ = false;  // all its required affinity terms mean the pod itself
  std::vector<const Topology*> affinity_topologies_{};  // one a required affinity term
  const PodContributions* existing_ = nullptr;
  const PodContributions* affinity_ = nullptr;
  const PodContributions* anti_affinity_ = nullptr;
};

}  // namespace berth::scheduling
