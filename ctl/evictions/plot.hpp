// SPDX-License-Identifier: Apache-2.0

// Signals, their thresholds and what would have happened, over time, as an SVG picture. Pure.
#pragma once

#include <string>

#include "control/control.pb.h"

namespace berth::ctl {

// One band for each signal, the time from left to right; thresholds are dashed, evictions are
// upright lines with the pod's name. Empty when nothing was recorded.
[[nodiscard]] std::string plot_svg(const control::v1::SimulateEvictionsReply& reply);

}  // namespace berth::ctl
