// SPDX-License-Identifier: Apache-2.0

// How the codec sees the types of api/affinity.hpp. Included only by the codec's sources.
#pragma once

#include <array>
#include <string_view>

#include <boost/describe.hpp>

#include "api/affinity.hpp"

namespace berth::api {

BOOST_DESCRIBE_STRUCT(NodeSelectorRequirement, (), (key, operator_, values))
constexpr auto printed_when_empty(const NodeSelectorRequirement*) {
  return std::to_array<std::string_view>({"key", "operator"});
}
BOOST_DESCRIBE_STRUCT(NodeSelectorTerm, (), (matchExpressions, matchFields))
BOOST_DESCRIBE_STRUCT(NodeSelector, (), (nodeSelectorTerms))
constexpr auto printed_when_empty(const NodeSelector*) {
  return std::to_array<std::string_view>({"nodeSelectorTerms"});
}
BOOST_DESCRIBE_STRUCT(PreferredSchedulingTerm, (), (weight, preference))
constexpr auto printed_when_empty(const PreferredSchedulingTerm*) {
  return std::to_array<std::string_view>({"weight", "preference"});
}
BOOST_DESCRIBE_STRUCT(NodeAffinity, (),
                      (requiredDuringSchedulingIgnoredDuringExecution,
                       preferredDuringSchedulingIgnoredDuringExecution))
BOOST_DESCRIBE_STRUCT(PodAffinityTerm, (),
                      (labelSelector, namespaces, topologyKey, namespaceSelector, matchLabelKeys,
                       mismatchLabelKeys))
constexpr auto printed_when_empty(const PodAffinityTerm*) {
  return std::to_array<std::string_view>({"topologyKey"});
}
BOOST_DESCRIBE_STRUCT(WeightedPodAffinityTerm, (), (weight, podAffinityTerm))
constexpr auto printed_when_empty(const WeightedPodAffinityTerm*) {
  return std::to_array<std::string_view>({"weight", "podAffinityTerm"});
}
BOOST_DESCRIBE_STRUCT(PodAffinity, (),
                      (requiredDuringSchedulingIgnoredDuringExecution,
                       preferredDuringSchedulingIgnoredDuringExecution))
BOOST_DESCRIBE_STRUCT(PodAntiAffinity, (),
                      (requiredDuringSchedulingIgnoredDuringExecution,
                       preferredDuringSchedulingIgnoredDuringExecution))
BOOST_DESCRIBE_STRUCT(Affinity, (), (nodeAffinity, podAffinity, podAntiAffinity))
BOOST_DESCRIBE_STRUCT(Toleration, (), (key, operator_, value, effect, tolerationSeconds))
BOOST_DESCRIBE_STRUCT(Taint, (), (key, value, effect, timeAdded))
constexpr auto printed_when_empty(const Taint*) {
  return std::to_array<std::string_view>({"key", "effect"});
}
BOOST_DESCRIBE_STRUCT(TopologySpreadConstraint, (),
                      (maxSkew, topologyKey, whenUnsatisfiable, labelSelector, minDomains,
                       nodeAffinityPolicy, nodeTaintsPolicy, matchLabelKeys))
constexpr auto printed_when_empty(const TopologySpreadConstraint*) {
  return std::to_array<std::string_view>({"maxSkew", "topologyKey", "whenUnsatisfiable"});
}

}  // namespace berth::api
