// SPDX-License-Identifier: Apache-2.0

// The node as one line of `get node`, with kubectl's columns. Pure.
#pragma once

#include "api/node.hpp"
#include "base/clock_types.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {

[[nodiscard]] Row node_header(bool wide);
[[nodiscard]] Row node_row(const api::Node& node, bool wide, WallTime now);

}  // namespace berth::ctl
