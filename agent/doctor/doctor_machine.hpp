// SPDX-License-Identifier: Apache-2.0

// Problems of the machine itself, each with what to do about it. Pure.
#pragma once

#include <vector>

#include "agent/doctor/doctor.hpp"

namespace berth::agent {

// Empty if the machine was not examined.
[[nodiscard]] std::vector<Finding> examine_machine(const DoctorInput& input);

}  // namespace berth::agent
