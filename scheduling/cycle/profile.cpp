// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cycle/profile.hpp"

#include <algorithm>

namespace berth::scheduling {
namespace {

constexpr std::array<std::string_view, kPlugins> kNames = {
    "NodeUnschedulable", "NodeName",         "TaintToleration",
    "NodeAffinity",      "NodePorts",        "NodeResourcesFit",
    "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation",
    "ImageLocality"};

}  // namespace

std::string_view name_of(Plugin plugin) {
  return kNames[static_cast<std::size_t>(plugin)];
}

std::optional<Plugin> plugin_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Plugin>(found - kNames.begin());
}

std::vector<api::TopologySpreadConstraint> default_constraints(const PodTopologySpreadArgs& args) {
  if (args.defaultingType == DefaultingType::kList) return args.defaultConstraints;
  return {{.maxSkew = 3,
           .topologyKey = "kubernetes.io/hostname",
           .whenUnsatisfiable = "ScheduleAnyway"},
          {.maxSkew = 5,
           .topologyKey = "topology.kubernetes.io/zone",
           .whenUnsatisfiable = "ScheduleAnyway"}};
}

}  // namespace berth::scheduling
