// SPDX-License-Identifier: Apache-2.0

// Fetches the node by the name a user typed.
#pragma once

#include <string>
#include <vector>

#include "api/node.hpp"
#include "ctl/command.hpp"

namespace berth::ctl {

// The node as JSON.
[[nodiscard]] Result<std::string> fetch_node(Connection& agent);

// There is only one node; given names must be its own.
[[nodiscard]] Result<api::Node> meant_node(const std::string& json,
                                           const std::vector<std::string>& names);

}  // namespace berth::ctl
