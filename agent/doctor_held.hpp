// Pods that cannot go on, because the runtime refuses to stop or to remove something of them, or
// the store has not taken how they ended: which, since when, and what an operator can do. Pure.
#pragma once

#include <vector>

#include "agent/doctor.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_held(const DoctorInput& input);

}  // namespace berth::agent
