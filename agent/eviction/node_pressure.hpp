// SPDX-License-Identifier: Apache-2.0

// Pressure as the Node object shows it: conditions before Ready, and the matching taints.
//
// Pure. The control plane would set the taints; on a standalone machine nothing else does.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "api/node.hpp"
#include "eviction/signal.hpp"

namespace berth::agent {

// `before`: the conditions as last shown. Returns the reasons of the events about what has changed.
std::vector<std::string> show_pressure(api::Node& node,
                                       const std::set<eviction::PressureCondition>& present,
                                       const std::vector<api::NodeCondition>& before,
                                       api::Time now);

// The node as the scheduling core sees it: without pressure, which admission asks eviction about.
[[nodiscard]] api::Node without_pressure(api::Node node);

}  // namespace berth::agent
