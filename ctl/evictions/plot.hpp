// SPDX-License-Identifier: Apache-2.0

// Signals, their thresholds and what would have happened, over time, as an SVG picture. Pure.
#pragma once

#include <string>

#include "control/control.pb.h"

namespace berth::ctl {

// A band for each signal, the time (UTC) from left to right. Thresholds are dashed, and what is
// beyond them is shaded; evictions are upright lines with numbers, listed below. Empty when nothing
// was recorded.
[[nodiscard]] std::string plot_svg(const control::v1::SimulateEvictionsReply& reply);

}  // namespace berth::ctl
