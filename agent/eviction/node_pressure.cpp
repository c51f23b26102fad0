// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/node_pressure.hpp"

#include <algorithm>
#include <utility>

#include "eviction/node_conditions.hpp"

namespace berth::agent {
namespace {

constexpr eviction::PressureCondition kAll[] = {eviction::PressureCondition::kMemoryPressure,
                                                eviction::PressureCondition::kDiskPressure,
                                                eviction::PressureCondition::kPidPressure};

}  // namespace

std::vector<std::string> show_pressure(api::Node& node,
                                       const std::set<eviction::PressureCondition>& present,
                                       const std::vector<api::NodeCondition>& before,
                                       api::Time now) {
  node = without_pressure(std::move(node));
  auto shown = eviction::pressure_conditions(present, before, now);
  auto& conditions = node.status.conditions;
  conditions.insert(conditions.begin(), std::make_move_iterator(shown.conditions.begin()),
                    std::make_move_iterator(shown.conditions.end()));
  for (const auto condition : present)
    node.spec.taints.push_back(eviction::pressure_taint(condition));
  return std::move(shown.events);
}

api::Node without_pressure(api::Node node) {
  for (const auto condition : kAll) {
    std::erase_if(node.status.conditions, [&](const api::NodeCondition& shown) {
      return shown.type == to_string(condition);
    });
    const api::Taint taint = eviction::pressure_taint(condition);
    std::erase_if(node.spec.taints, [&](const api::Taint& has) {
      return has.key == taint.key && has.effect == taint.effect;
    });
  }
  return node;
}

}  // namespace berth::agent
