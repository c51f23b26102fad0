// SPDX-License-Identifier: Apache-2.0

#include "scheduling/configuration/plugin_catalogue.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

using enum ExtensionPoint;
using enum PluginStanding;

template <class... Points>
constexpr std::uint32_t at(Points... points) {
  return ((1U << static_cast<std::uint32_t>(points)) | ...);
}
constexpr std::uint32_t kFilters = at(kPreFilter, kFilter);
constexpr std::uint32_t kScores = at(kPreScore, kScore);

constexpr std::array<std::string_view, kExtensionPoints> kPointNames = {
    "preEnqueue", "queueSort", "preFilter", "filter",  "postFilter", "preScore",
    "score",      "reserve",   "permit",    "preBind", "bind",       "postBind"};

constexpr std::array<KnownPlugin, 19> kCatalogue = {{
    {"SchedulingGates", kFixed, at(kPreEnqueue), 0},
    {"PrioritySort", kFixed, at(kQueueSort), 0},
    {"NodeUnschedulable", kConfigurable, at(kFilter), 0},
    {"NodeName", kConfigurable, at(kFilter), 0},
    {"TaintToleration", kConfigurable, at(kFilter) | kScores, 3},
    {"NodeAffinity", kConfigurable, kFilters | kScores, 2},
    {"NodePorts", kConfigurable, kFilters, 0},
    {"NodeResourcesFit", kConfigurable, kFilters | kScores, 1},
    {"VolumeRestrictions", kAbsent, kFilters, 0},
    {"NodeVolumeLimits", kAbsent, kFilters, 0},
    {"VolumeBinding", kAbsent, kFilters | kScores | at(kReserve, kPreBind), 0},
    {"VolumeZone", kAbsent, kFilters, 0},
    {"PodTopologySpread", kConfigurable, kFilters | kScores, 2},
    {"InterPodAffinity", kConfigurable, kFilters | kScores, 2},
    {"DynamicResources", kAbsent, kFilters | at(kPreEnqueue, kPostFilter, kReserve, kPreBind), 0},
    {"DefaultPreemption", kPreemption, at(kPreEnqueue, kPostFilter), 0},
    {"NodeResourcesBalancedAllocation", kConfigurable, kScores, 1},
    {"ImageLocality", kConfigurable, at(kScore), 1},
    {"DefaultBinder", kFixed, at(kBind), 0},
}};

struct Successor {
  std::string_view old_plugin{};
  std::string_view now{};
};
constexpr std::string_view kFitLeast = "NodeResourcesFit with scoringStrategy.type LeastAllocated";
constexpr std::string_view kFitMost = "NodeResourcesFit with scoringStrategy.type MostAllocated";
constexpr std::string_view kFitRatio =
    "NodeResourcesFit with scoringStrategy.type RequestedToCapacityRatio";
constexpr std::array<Successor, 13> kSuccessors = {{
    {"NodeResourcesLeastAllocated", kFitLeast},
    {"NodeResourcesMostAllocated", kFitMost},
    {"RequestedToCapacityRatio", kFitRatio},
    {"SelectorSpread", "PodTopologySpread, whose defaultingType System does the same"},
    {"DefaultPodTopologySpread", "PodTopologySpread, whose defaultingType System does the same"},
    {"ServiceAffinity", "InterPodAffinity, by terms of the pods"},
    {"NodeLabel", "NodeAffinity with addedAffinity"},
    {"NodePreferAvoidPods", "TaintToleration, by taints with effect PreferNoSchedule"},
    {"NodeResourceLimits", "NodeResourcesFit"},
    {"EBSLimits", "NodeVolumeLimits"},
    {"GCEPDLimits", "NodeVolumeLimits"},
    {"AzureDiskLimits", "NodeVolumeLimits"},
    {"CinderLimits", "NodeVolumeLimits"},
}};

}  // namespace

std::string_view name_of(ExtensionPoint point) {
  return kPointNames[static_cast<std::size_t>(point)];
}

std::span<const KnownPlugin> known_plugins() {
  return kCatalogue;
}

const KnownPlugin* known_plugin(std::string_view name) {
  const auto found = std::ranges::find(kCatalogue, name, &KnownPlugin::name);
  return found == kCatalogue.end() ? nullptr : &*found;
}

std::string_view successor_of(std::string_view old_plugin) {
  const auto found = std::ranges::find(kSuccessors, old_plugin, &Successor::old_plugin);
  return found == kSuccessors.end() ? std::string_view{} : found->now;
}

}  // namespace berth::scheduling
