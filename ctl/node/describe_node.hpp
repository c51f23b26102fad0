// SPDX-License-Identifier: Apache-2.0

// The node as `describe node` prints it: kubectl's sections in kubectl's order, then what only
// berth knows: signals against their thresholds. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/event.hpp"
#include "api/node.hpp"
#include "api/pod.hpp"
#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

struct NodeStory {
  api::Node node{};
  std::vector<api::Pod> pods{};  // all; those that have ended are left out here
  std::vector<api::Event> events{};
  std::vector<Row> pressure{};     // signals against thresholds, with a header
  std::string pressure_unknown{};  // why there is no such table
};

[[nodiscard]] std::string describe_node(const NodeStory& story, WallTime now);

}  // namespace berth::ctl
