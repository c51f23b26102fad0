// SPDX-License-Identifier: Apache-2.0

// The arguments of the scheduler's plugins as stated in a file (pluginConfig[].args, v1).
//
// Plain values; resolve_arguments defines the defaults and rules. Each may state its own kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.hpp"
#include "api/time.hpp"

namespace berth::scheduling::config {

struct ResourceSpec {
  std::string name{};
  std::optional<std::int64_t> weight{};
};

struct UtilizationShapePoint {
  std::optional<std::int32_t> utilization{};
  std::optional<std::int32_t> score{};
};

struct RequestedToCapacityRatioParam {
  std::vector<UtilizationShapePoint> shape{};
};

struct ScoringStrategy {
  std::optional<std::string> type{};
  std::vector<ResourceSpec> resources{};
  std::optional<RequestedToCapacityRatioParam> requestedToCapacityRatio{};
};

struct NodeResourcesFitArgs {
  std::string apiVersion{};
  std::string kind{};
  std::vector<std::string> ignoredResources{};
  std::vector<std::string> ignoredResourceGroups{};
  std::optional<ScoringStrategy> scoringStrategy{};
};

struct NodeResourcesBalancedAllocationArgs {
  std::string apiVersion{};
  std::string kind{};
  std::vector<ResourceSpec> resources{};
};

struct PodTopologySpreadArgs {
  std::string apiVersion{};
  std::string kind{};
  std::vector<api::TopologySpreadConstraint> defaultConstraints{};
  std::optional<std::string> defaultingType{};
};

struct InterPodAffinityArgs {
  std::string apiVersion{};
  std::string kind{};
  std::optional<std::int32_t> hardPodAffinityWeight{};
  std::optional<bool> ignorePreferredTermsOfExistingPods{};
};

struct NodeAffinityArgs {
  std::string apiVersion{};
  std::string kind{};
  std::optional<api::NodeAffinity> addedAffinity{};
};

struct DefaultPreemptionArgs {
  std::string apiVersion{};
  std::string kind{};
  std::optional<std::int32_t> minCandidateNodesPercentage{};
  std::optional<std::int32_t> minCandidateNodesAbsolute{};
};

struct DynamicResourcesArgs {
  std::string apiVersion{};
  std::string kind{};
  std::optional<api::Duration> filterTimeout{};
  std::optional<api::Duration> bindingTimeout{};
};

struct VolumeBindingArgs {
  std::string apiVersion{};
  std::string kind{};
  std::optional<std::int64_t> bindTimeoutSeconds{};
  std::vector<UtilizationShapePoint> shape{};
};

}  // namespace berth::scheduling::config
