// SPDX-License-Identifier: Apache-2.0

// Where a pod may run: affinity, tolerations, taints, topology spread (core/v1).
//
// Plain aggregates with the field names of the Kubernetes API; std::optional where absent differs
// from empty. No logic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.hpp"
#include "api/time.hpp"

namespace berth::api {

struct NodeSelectorRequirement {
  std::string key{};
  std::string operator_{};
  std::vector<std::string> values{};

  bool operator==(const NodeSelectorRequirement&) const = default;
};

struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> matchExpressions{};
  std::vector<NodeSelectorRequirement> matchFields{};

  bool operator==(const NodeSelectorTerm&) const = default;
};

struct NodeSelector {
  std::vector<NodeSelectorTerm> nodeSelectorTerms{};

  bool operator==(const NodeSelector&) const = default;
};

struct PreferredSchedulingTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm preference{};

  bool operator==(const PreferredSchedulingTerm&) const = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> requiredDuringSchedulingIgnoredDuringExecution{};
  std::vector<PreferredSchedulingTerm> preferredDuringSchedulingIgnoredDuringExecution{};

  bool operator==(const NodeAffinity&) const = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> labelSelector{};
  std::vector<std::string> namespaces{};
  std::string topologyKey{};
  std::optional<LabelSelector> namespaceSelector{};
  std::vector<std::string> matchLabelKeys{};
  std::vector<std::string> mismatchLabelKeys{};

  bool operator==(const PodAffinityTerm&) const = default;
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;
  PodAffinityTerm podAffinityTerm{};

  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

struct PodAffinity {
  std::vector<PodAffinityTerm> requiredDuringSchedulingIgnoredDuringExecution{};
  std::vector<WeightedPodAffinityTerm> preferredDuringSchedulingIgnoredDuringExecution{};

  bool operator==(const PodAffinity&) const = default;
};

struct PodAntiAffinity {
  std::vector<PodAffinityTerm> requiredDuringSchedulingIgnoredDuringExecution{};
  std::vector<WeightedPodAffinityTerm> preferredDuringSchedulingIgnoredDuringExecution{};

  bool operator==(const PodAntiAffinity&) const = default;
};

struct Affinity {
  std::optional<NodeAffinity> nodeAffinity{};
  std::optional<PodAffinity> podAffinity{};
  std::optional<PodAntiAffinity> podAntiAffinity{};

  bool operator==(const Affinity&) const = default;
};

struct Toleration {
  std::string key{};
  std::string operator_{};
  std::string value{};
  std::string effect{};
  std::optional<std::int64_t> tolerationSeconds{};

  bool operator==(const Toleration&) const = default;
};

struct Taint {
  std::string key{};
  std::string value{};
  std::string effect{};
  std::optional<Time> timeAdded{};

  bool operator==(const Taint&) const = default;
};

struct TopologySpreadConstraint {
  std::int32_t maxSkew = 0;
  std::string topologyKey{};
  std::string whenUnsatisfiable{};
  std::optional<LabelSelector> labelSelector{};
  std::optional<std::int32_t> minDomains{};
  std::optional<std::string> nodeAffinityPolicy{};
  std::optional<std::string> nodeTaintsPolicy{};
  std::vector<std::string> matchLabelKeys{};

  bool operator==(const TopologySpreadConstraint&) const = default;
};

}  // namespace berth::api
