// SPDX-License-Identifier: Apache-2.0

// Pods that cannot make progress, because the runtime refuses to stop or remove something of
// theirs, or the store has not persisted how they ended: which, since when, and what an operator
// can do. Pure.
#pragma once

#include <vector>

#include "agent/doctor/doctor.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_held(const DoctorInput& input);

}  // namespace berth::agent
