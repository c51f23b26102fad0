// SPDX-License-Identifier: Apache-2.0

// Problems of the container runtime, and which line of which file fixes them. Pure.
#pragma once

#include <vector>

#include "agent/doctor/doctor.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_runtime(const DoctorInput& input);

}  // namespace berth::agent
