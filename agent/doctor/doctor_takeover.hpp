// SPDX-License-Identifier: Apache-2.0

// Which pods a kubelet would not simply continue if it were started on this manifest folder instead
// of berthd, and why. Pure.
#pragma once

#include <vector>

#include "agent/doctor/doctor.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_takeover(const DoctorInput& input);

}  // namespace berth::agent
