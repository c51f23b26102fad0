// The cluster as the scheduler sees it: nodes, the pods on them, nominations, namespaces, and the
// objects that select pods. A value that is changed object by object, each change costing what
// changed and no more.
//
// Not thread-safe. Pods are known by uid (or namespace/name where there is none), nodes by name.
// A pod may be on a node whose object is not here; the node is then not looked at. What follows the
// cluster (the scheduler's columns) reads the two change logs.
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
  // What is wrong with the pod's affinity terms, in the API's words; empty if nothing.
  std::string affinity_problem{};
};

class Cluster {
 public:
  Cluster();

  // Compiling again gives the same.
  [[nodiscard]] CompiledPod compile(const api::Pod& pod);

  // Adds the node or replaces its object.
  void set_node(const api::Node& node);
  void remove_node(std::string_view name);
  // Of a pod that is known already the former state is dropped first.
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
  // The nodes that are present, in the order in which they are looked at.
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
  // None: the namespace is unknown. Changes of namespaces are counted, not logged.
  [[nodiscard]] std::optional<LabelSetId> namespace_labels(NameId name) const;
  [[nodiscard]] std::uint64_t namespace_changes() const { return changes_.namespaces; }
  [[nodiscard]] const ImageStates& images() const { return images_; }
  [[nodiscard]] std::uint64_t image_changes() const { return changes_.images; }

  // Lets go of label sets, selectors, terms and names that none of the objects here uses, once they
  // outnumber those that are used. Ids that were got before and are used by no object (a PodInfo
  // that was compiled and not added, DisruptionBudgets) are invalid then, and generation() is
  // another. Every decision of a scheduler begins with it.
  void drop_unused();
  [[nodiscard]] std::uint64_t generation() const { return changes_.ids; }
  // How many texts, sets, selectors and lists of terms are held.
  [[nodiscard]] std::size_t held() const;

  [[nodiscard]] Vocabulary& vocabulary() { return vocabulary_; }
  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }

  // Nodes whose object changed; and nodes whose object, or whose pods, did.
  [[nodiscard]] const ChangeLog& object_changes() const { return changes_.objects; }
  [[nodiscard]] const ChangeLog& changes() const { return changes_.nodes; }

 private:
  // What those who follow the cluster have to hear of.
  struct Changes {
    ChangeLog objects{};
    ChangeLog nodes{};  // objects and pods
    std::uint64_t namespaces = 0;
    std::uint64_t images = 0;
    std::uint64_t ids = 0;  // how often some were dropped
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
  std::size_t kept_ = 0;  // of what is held, when it was last looked through
};

}  // namespace berth::scheduling
