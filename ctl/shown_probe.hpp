// SPDX-License-Identifier: Apache-2.0

// Converts a probe of the control API to the value that is printed.
#pragma once

#include "control/control.pb.h"
#include "ctl/probe_row.hpp"

namespace berth::ctl {

[[nodiscard]] ShownProbe shown_probe(const control::v1::Probe& probe);

}  // namespace berth::ctl
