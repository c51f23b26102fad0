// SPDX-License-Identifier: Apache-2.0

// Pressure as the Node object shows it: conditions before Ready, and the taints that go with them.
//
// Pure. The control plane would set the taints; on one machine nobody else does.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "eviction/signal.hpp"

namespace berth::agent {

// `before`: the conditions as they were shown last. The reasons of the events of what has changed.
std::vector<std::string> show_pressure(api::Node& node,
                                       const std::set<eviction::PressureCondition>& present,
                                       const std::vector<api::NodeCondition>& before,
                                       api::Time now);

// What the scheduling core is to see: pressure is eviction's, and asked at admission.
[[nodiscard]] api::Node without_pressure(api::Node node);

}  // namespace berth::agent
