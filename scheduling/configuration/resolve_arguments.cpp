// SPDX-License-Identifier: Apache-2.0

#include "scheduling/configuration/resolve_arguments.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "api/validation/validate_values.hpp"
#include "scheduling/predicates/node_affinity.hpp"

namespace berth::scheduling {
namespace {

using api::FieldErrors;
using api::FieldPath;

void check_range(FieldErrors& errors, const FieldPath& path, std::int64_t value, std::int64_t least,
                 std::int64_t most) {
  if (value >= least && value <= most) return;
  errors.push_back(api::invalid(
      path, api::number(value),
      "not in valid range [" + std::to_string(least) + ", " + std::to_string(most) + "]"));
}

// The usual two if no resources are given; a weight of 0 counts as unset.
std::vector<ResourceSpec> resources_of(const std::vector<config::ResourceSpec>& stated) {
  if (stated.empty()) return cpu_and_memory();
  std::vector<ResourceSpec> resources;
  for (const config::ResourceSpec& one : stated) {
    const std::int64_t weight = one.weight.value_or(0);
    resources.push_back({.name = one.name, .weight = weight == 0 ? 1 : weight});
  }
  return resources;
}

void check_weights(FieldErrors& errors, const FieldPath& path,
                   const std::vector<ResourceSpec>& resources) {
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const std::int64_t weight = resources[i].weight;
    if (weight > 0 && weight <= 100) continue;
    errors.push_back(
        api::invalid(path / i / "weight", api::number(weight),
                     "resource weight of " + resources[i].name + " not in valid range (0, 100]"));
  }
}

std::vector<UtilizationShapePoint> shape_of(const FieldPath& path,
                                            const config::RequestedToCapacityRatioParam& stated,
                                            FieldErrors& errors) {
  std::vector<UtilizationShapePoint> shape;
  for (const config::UtilizationShapePoint& point : stated.shape) {
    shape.push_back(
        {.utilization = point.utilization.value_or(0), .score = point.score.value_or(0)});
  }
  if (shape.empty()) {
    errors.push_back(api::required(path, "at least one point must be specified"));
  }
  for (std::size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilization < shape[i].utilization) continue;
    errors.push_back(api::invalid(path / i / "utilization", api::number(shape[i].utilization),
                                  "values must be sorted in increasing order"));
    break;
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    check_range(errors, path / i / "utilization", shape[i].utilization, 0, 100);
    check_range(errors, path / i / "score", shape[i].score, 0, 10);
  }
  return shape;
}

void resolve_strategy(const config::ScoringStrategy& stated, const FieldPath& path,
                      ScoringStrategy& strategy, FieldErrors& errors) {
  constexpr std::array<std::string_view, 3> kTypes = {"LeastAllocated", "MostAllocated",
                                                      "RequestedToCapacityRatio"};
  const std::string type = stated.type.value_or("");
  const auto found = std::ranges::find(kTypes, type);
  if (found == kTypes.end()) {
    errors.push_back(api::not_supported(path / "type", api::json_string(type),
                                        {kTypes[0], kTypes[1], kTypes[2]}));
  } else {
    strategy.type = static_cast<ScoringStrategyType>(found - kTypes.begin());
  }
  strategy.resources = resources_of(stated.resources);
  check_weights(errors, path / "resources", strategy.resources);
  const FieldPath ratio = path / "requestedToCapacityRatio";
  if (stated.requestedToCapacityRatio) {
    strategy.shape = shape_of(ratio / "shape", *stated.requestedToCapacityRatio, errors);
  } else if (strategy.type == ScoringStrategyType::kRequestedToCapacityRatio) {
    errors.push_back(api::required(ratio, "the type needs its shape"));
  }
}

void check_default_constraint(const api::TopologySpreadConstraint& stated, const FieldPath& path,
                              FieldErrors& errors) {
  if (stated.maxSkew <= 0) {
    errors.push_back(
        api::invalid(path / "maxSkew", api::number(stated.maxSkew), "not in valid range (0, inf)"));
  }
  const FieldPath key = path / "topologyKey";
  if (stated.topologyKey.empty()) {
    errors.push_back(api::required(key, "can not be empty"));
  } else {
    api::check_text(errors, key, stated.topologyKey, api::grammar::qualified_name);
  }
  const FieldPath when = path / "whenUnsatisfiable";
  if (stated.whenUnsatisfiable.empty()) {
    errors.push_back(api::required(when, "can not be empty"));
  } else {
    api::check_one_of(errors, when, stated.whenUnsatisfiable, {"DoNotSchedule", "ScheduleAnyway"});
  }
  if (stated.labelSelector) {
    errors.push_back(
        api::forbidden(path / "labelSelector",
                       "constraint must not define a selector, as they deduced for each pod"));
  }
}

void append(FieldErrors& errors, const FieldErrors& more) {
  errors.insert(errors.end(), more.begin(), more.end());
}

}  // namespace

void resolve_arguments(const config::NodeResourcesFitArgs& args, const FieldPath& path,
                       Profile& profile, FieldErrors& errors) {
  NodeResourcesFitArgs& fit = profile.fit;
  fit.ignoredResources = args.ignoredResources;
  fit.ignoredResourceGroups = args.ignoredResourceGroups;
  for (std::size_t i = 0; i < fit.ignoredResources.size(); ++i) {
    api::check_text(errors, path / "ignoredResources" / i, fit.ignoredResources[i],
                    api::grammar::qualified_name);
  }
  for (std::size_t i = 0; i < fit.ignoredResourceGroups.size(); ++i) {
    const FieldPath group = path / "ignoredResourceGroups" / i;
    const std::string& name = fit.ignoredResourceGroups[i];
    if (name.find('/') != std::string::npos) {
      errors.push_back(
          api::invalid(group, api::quoted(name), "resource group name can't contain '/'"));
    }
    api::check_text(errors, group, name, api::grammar::qualified_name);
  }
  if (args.scoringStrategy) {
    resolve_strategy(*args.scoringStrategy, path / "scoringStrategy", fit.scoringStrategy, errors);
  }
}

void resolve_arguments(const config::NodeResourcesBalancedAllocationArgs& args,
                       const FieldPath& path, Profile& profile, FieldErrors& errors) {
  auto& resources = profile.balanced_allocation.resources;
  resources = resources_of(args.resources);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const FieldPath at = path / "resources" / i;
    if (!seen.insert(resources[i].name).second) {
      errors.push_back(api::duplicate(at / "name", api::quoted(resources[i].name)));
    }
    if (resources[i].weight != 1) {
      errors.push_back(api::invalid(at / "weight", api::number(resources[i].weight), "must be 1"));
    }
  }
}

void resolve_arguments(const config::PodTopologySpreadArgs& args, const FieldPath& path,
                       Profile& profile, FieldErrors& errors) {
  PodTopologySpreadArgs& spread = profile.topology_spread;
  spread.defaultConstraints = args.defaultConstraints;
  const std::string type = args.defaultingType.value_or("System");
  const FieldPath type_path = path / "defaultingType";
  api::check_one_of(errors, type_path, type, {"System", "List"});
  spread.defaultingType = type == "List" ? DefaultingType::kList : DefaultingType::kSystem;
  if (type == "System" && !args.defaultConstraints.empty()) {
    errors.push_back(
        api::invalid(type_path, api::json_string(type), "when .defaultConstraints are not empty"));
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < args.defaultConstraints.size(); ++i) {
    const api::TopologySpreadConstraint& stated = args.defaultConstraints[i];
    const FieldPath at = path / "defaultConstraints" / i;
    check_default_constraint(stated, at, errors);
    const std::string pair = "{" + stated.topologyKey + ", " + stated.whenUnsatisfiable + "}";
    if (!seen.insert(pair).second) errors.push_back(api::duplicate(at, api::quoted(pair)));
  }
}

void resolve_arguments(const config::InterPodAffinityArgs& args, const FieldPath& path,
                       Profile& profile, FieldErrors& errors) {
  InterPodAffinityArgs& affinity = profile.inter_pod_affinity;
  affinity.hardPodAffinityWeight = args.hardPodAffinityWeight.value_or(1);
  affinity.ignorePreferredTermsOfExistingPods =
      args.ignorePreferredTermsOfExistingPods.value_or(false);
  check_range(errors, path / "hardPodAffinityWeight", affinity.hardPodAffinityWeight, 0, 100);
}

void resolve_arguments(const config::NodeAffinityArgs& args, const FieldPath& path,
                       Profile& profile, FieldErrors& errors) {
  profile.node_affinity.addedAffinity = args.addedAffinity;
  if (!args.addedAffinity) return;
  const FieldPath added = path / "addedAffinity";
  if (const auto& required = args.addedAffinity->requiredDuringSchedulingIgnoredDuringExecution) {
    const FieldPath terms =
        added / "requiredDuringSchedulingIgnoredDuringExecution" / "nodeSelectorTerms";
    for (std::size_t i = 0; i < required->nodeSelectorTerms.size(); ++i) {
      append(errors, NodeTerm(required->nodeSelectorTerms[i], terms / i).errors());
    }
  }
  const auto& preferred = args.addedAffinity->preferredDuringSchedulingIgnoredDuringExecution;
  const FieldPath terms = added / "preferredDuringSchedulingIgnoredDuringExecution";
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    append(errors, NodeTerm(preferred[i].preference, terms / i / "preference").errors());
  }
}

void resolve_arguments(const config::DefaultPreemptionArgs& args, const FieldPath& path,
                       Profile& profile, FieldErrors& errors) {
  DefaultPreemptionArgs& preemption = profile.preemption;
  preemption.minCandidateNodesPercentage = args.minCandidateNodesPercentage.value_or(10);
  preemption.minCandidateNodesAbsolute = args.minCandidateNodesAbsolute.value_or(100);
  const FieldPath percentage = path / "minCandidateNodesPercentage";
  const FieldPath absolute = path / "minCandidateNodesAbsolute";
  check_range(errors, percentage, preemption.minCandidateNodesPercentage, 0, 100);
  if (preemption.minCandidateNodesAbsolute < 0) {
    errors.push_back(api::invalid(absolute, api::number(preemption.minCandidateNodesAbsolute),
                                  "not in valid range [0, inf)"));
  }
  if (preemption.minCandidateNodesPercentage == 0 && preemption.minCandidateNodesAbsolute == 0) {
    errors.push_back(api::invalid(percentage, api::number(0),
                                  "cannot be zero at the same time as minCandidateNodesAbsolute"));
    errors.push_back(
        api::invalid(absolute, api::number(0),
                     "cannot be zero at the same time as minCandidateNodesPercentage"));
  }
}

}  // namespace berth::scheduling
