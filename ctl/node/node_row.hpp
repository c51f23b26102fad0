// SPDX-License-Identifier: Apache-2.0

// The node as one line of `get node`: kubectl's columns, and pressure as the last. Pure.
#pragma once

#include <string>

#include "api/node.hpp"
#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

[[nodiscard]] Row node_header(bool wide);
[[nodiscard]] Row node_row(const api::Node& node, bool wide, WallTime now);

// "control-plane,edge", from the labels; "<none>".
[[nodiscard]] std::string node_roles(const api::Node& node);

// "MemoryPressure,DiskPressure": the pressure conditions that are True; "None".
[[nodiscard]] std::string node_pressure(const api::Node& node);

}  // namespace berth::ctl
