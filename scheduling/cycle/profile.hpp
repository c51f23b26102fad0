// SPDX-License-Identifier: Apache-2.0

// A scheduler profile: which plugins are enabled, with which weights and arguments.
//
// Defaults are those of KubeSchedulerConfiguration v1 in Kubernetes 1.34 (the default profile).
// Plain values under Kubernetes' own names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/affinity.hpp"

namespace berth::scheduling {

// In filter order; the last two only score.
enum class Plugin : std::uint8_t {
  kNodeUnschedulable,
  kNodeName,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kPodTopologySpread,
  kInterPodAffinity,
  kNodeResourcesBalancedAllocation,
  kImageLocality,
};
inline constexpr std::size_t kPlugins = 10;

[[nodiscard]] std::string_view name_of(Plugin plugin);
[[nodiscard]] std::optional<Plugin> plugin_named(std::string_view name);

class PluginSet {
 public:
  constexpr PluginSet() = default;
  [[nodiscard]] static constexpr PluginSet all() {
    PluginSet set;
    set.bits_ = (1U << kPlugins) - 1;
    return set;
  }
  constexpr void insert(Plugin plugin) { bits_ |= bit(plugin); }
  constexpr void erase(Plugin plugin) { bits_ &= ~bit(plugin); }
  [[nodiscard]] constexpr bool contains(Plugin plugin) const { return (bits_ & bit(plugin)) != 0; }

  bool operator==(const PluginSet&) const = default;

 private:
  static constexpr std::uint32_t bit(Plugin plugin) {
    return 1U << static_cast<std::uint32_t>(plugin);
  }
  std::uint32_t bits_ = 0;
};

struct ResourceSpec {
  std::string name{};
  std::int64_t weight = 1;  // 0 counts as 1

  bool operator==(const ResourceSpec&) const = default;
};

[[nodiscard]] inline std::vector<ResourceSpec> cpu_and_memory() {
  return {{.name = "cpu", .weight = 1}, {.name = "memory", .weight = 1}};
}

enum class ScoringStrategyType : std::uint8_t {
  kLeastAllocated,
  kMostAllocated,
  kRequestedToCapacityRatio,
};

struct UtilizationShapePoint {
  std::int32_t utilization = 0;  // percent, strictly increasing
  std::int32_t score = 0;        // 0 to 10

  bool operator==(const UtilizationShapePoint&) const = default;
};

struct ScoringStrategy {
  ScoringStrategyType type = ScoringStrategyType::kLeastAllocated;
  std::vector<ResourceSpec> resources = cpu_and_memory();
  std::vector<UtilizationShapePoint> shape{};

  bool operator==(const ScoringStrategy&) const = default;
};

struct NodeResourcesFitArgs {
  std::vector<std::string> ignoredResources{};
  std::vector<std::string> ignoredResourceGroups{};
  ScoringStrategy scoringStrategy{};

  bool operator==(const NodeResourcesFitArgs&) const = default;
};

struct NodeResourcesBalancedAllocationArgs {
  std::vector<ResourceSpec> resources = cpu_and_memory();

  bool operator==(const NodeResourcesBalancedAllocationArgs&) const = default;
};

struct NodeAffinityArgs {
  std::optional<api::NodeAffinity> addedAffinity{};

  bool operator==(const NodeAffinityArgs&) const = default;
};

struct InterPodAffinityArgs {
  std::int32_t hardPodAffinityWeight = 1;
  bool ignorePreferredTermsOfExistingPods = false;

  bool operator==(const InterPodAffinityArgs&) const = default;
};

enum class DefaultingType : std::uint8_t { kSystem, kList };

struct PodTopologySpreadArgs {
  DefaultingType defaultingType = DefaultingType::kSystem;
  std::vector<api::TopologySpreadConstraint> defaultConstraints{};  // of kList

  bool operator==(const PodTopologySpreadArgs&) const = default;
};

struct DefaultPreemptionArgs {
  std::int32_t minCandidateNodesPercentage = 10;
  std::int32_t minCandidateNodesAbsolute = 100;

  bool operator==(const DefaultPreemptionArgs&) const = default;
};

struct Profile {
  std::string schedulerName = "default-scheduler";
  std::int32_t percentageOfNodesToScore = 0;  // 0: depends on the number of nodes
  std::int32_t parallelism = 16;
  // By extension point; plugins without an extension there do not matter.
  PluginSet pre_filters = PluginSet::all();
  PluginSet filters = PluginSet::all();
  PluginSet pre_scores = PluginSet::all();
  PluginSet scores = PluginSet::all();
  // By plugin; ignored for plugins that do not score.
  std::array<std::int64_t, kPlugins> weights = {0, 0, 3, 2, 0, 1, 2, 2, 1, 1};
  NodeAffinityArgs node_affinity{};
  NodeResourcesFitArgs fit{};
  NodeResourcesBalancedAllocationArgs balanced_allocation{};
  InterPodAffinityArgs inter_pod_affinity{};
  PodTopologySpreadArgs topology_spread{};
  DefaultPreemptionArgs preemption{};
  bool preempts = true;  // DefaultPreemption is enabled

  [[nodiscard]] std::int64_t weight(Plugin plugin) const {
    return scores.contains(plugin) ? weights[static_cast<std::size_t>(plugin)] : 0;
  }
  bool operator==(const Profile&) const = default;
};

// The constraints for pods without any: those of the list, or the two of System.
[[nodiscard]] std::vector<api::TopologySpreadConstraint> default_constraints(
    const PodTopologySpreadArgs& args);

}  // namespace berth::scheduling
