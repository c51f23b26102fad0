// SPDX-License-Identifier: Apache-2.0

// The cluster as the scheduler sees it: nodes, the pods on them, nominations, namespaces, and the
// objects that select pods. A value that is updated object by object; an update costs no more than
// what it changes.
//
// Not thread-safe. Pods are identified by uid (or namespace/name without one), nodes by name. A pod
// may be on a node whose object is not present here; such a node is not considered. Followers of
// the cluster (the scheduler's columns) read the two change logs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/namespace.hpp"
#include "scheduling/cluster/change_log.hpp"
#include "scheduling/cluster/image_states.hpp"
#include "scheduling/cluster/node_info.hpp"
#include "scheduling/cluster/node_order.hpp"
#include "scheduling/cluster/selector_sources.hpp"

namespace berth::scheduling {

struct CompiledPod {
  PodInfo info{};
  // The errors of the pod's affinity terms, with the API's messages; empty if there are none.
  std::string affinity_problem{};
};

class Cluster {
 public:
  Cluster();

  // Compiling again gives the same result.
  [[nodiscard]] CompiledPod compile(const api::Pod& pod);

  // Adds the node, or replaces its object.
  void set_node(const api::Node& node);
  void remove_node(std::string_view name);
  // Replaces a pod that is already known.
  void add_pod(PodInfo pod, std::string_view node_name);
  void remove_pod(std::string_view key);
  void nominate(PodInfo pod, std::string_view node_name);
  void remove_nomination(std::string_view key);
  void set_namespace(const api::Namespace& object);
  void remove_namespace(std::string_view name);
  [[nodiscard]] SelectorSources& selector_sources() { return selector_sources_; }
  [[nodiscard]] const SelectorSources& selector_sources() const { return selector_sources_; }

  [[nodiscard]] std::size_t node_slots() const { return nodes_.size(); }
  [[nodiscard]] const NodeInfo& node(NodeIndex index) const { return nodes_[index]; }
  [[nodiscard]] std::optional<NodeIndex> find_node(std::string_view name) const;
  // The nodes that are present, in the order in which they are considered.
  [[nodiscard]] const std::vector<NodeIndex>& node_order() const { return order_.list(); }
  [[nodiscard]] const PodInfo& pod(PodSlot slot) const { return pods_[slot].info; }

  struct Nomination {
    PodInfo pod{};
    NodeIndex node = 0;
  };
  [[nodiscard]] const std::vector<Nomination>& nominations() const { return nominations_; }

  [[nodiscard]] const AffinityTerms& affinity_terms(AffinityTermsId id) const {
    return affinity_terms_.at(id);
  }
  // `std::nullopt` if the namespace is unknown. Changes of namespaces are counted, not logged.
  [[nodiscard]] std::optional<LabelSetId> namespace_labels(NameId name) const;
  [[nodiscard]] std::uint64_t namespace_changes() const { return changes_.namespaces; }
  [[nodiscard]] const ImageStates& images() const { return images_; }
  [[nodiscard]] std::uint64_t image_changes() const { return changes_.images; }

  // Drops label sets, selectors, terms and names that no object here uses, once they outnumber the
  // used ones. Previously obtained ids that no object uses (in a PodInfo that was compiled but not
  // added, or in DisruptionBudgets) are then invalid, and generation() changes. Every scheduling
  // decision starts with this call.
  void drop_unused();
  [[nodiscard]] std::uint64_t generation() const { return changes_.ids; }
  // The number of interned texts, sets, selectors and lists of terms.
  [[nodiscard]] std::size_t held() const;

  [[nodiscard]] Vocabulary& vocabulary() { return vocabulary_; }
  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

  // Nodes whose object changed; and nodes whose object or pods changed.
  [[nodiscard]] const ChangeLog& object_changes() const { return changes_.objects; }
  [[nodiscard]] const ChangeLog& changes() const { return changes_.nodes; }

 private:
  // What followers of the cluster need to see.
  struct Changes {
    ChangeLog objects{};
    ChangeLog nodes{};  // objects and pods
    std::uint64_t namespaces = 0;
    std::uint64_t images = 0;
    std::uint64_t ids = 0;  // how often ids were dropped
  };
  struct PlacedPod {
    PodInfo info{};
    NodeIndex node = 0;
  };
  NodeIndex slot_of_node(std::string_view name);
  void collect_ports(NodeInfo& node) const;
  void log_object(NodeIndex node);
  void log_pods(NodeIndex node);

  Vocabulary vocabulary_{};
  Interner<AffinityTerms> affinity_terms_{};
  std::vector<NodeInfo> nodes_{};
  TextMap<NodeIndex> node_by_name_{};
  NodeOrder order_{};
  std::vector<PlacedPod> pods_{};
  std::vector<PodSlot> free_pod_slots_{};
  TextMap<PodSlot> pod_by_key_{};
  std::vector<Nomination> nominations_{};
  std::unordered_map<NameId, LabelSetId> namespaces_{};
  SelectorSources selector_sources_{};
  ImageStates images_{};
  Changes changes_{};
  std::size_t kept_ = 0;  // number of interned values after the last drop
};

}  // namespace berth::scheduling
