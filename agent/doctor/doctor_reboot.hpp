// SPDX-License-Identifier: Apache-2.0

// What a reboot of this machine would lose, or has lost: part of `berthctl doctor`. Pure.
#pragma once

#include <vector>

#include "agent/doctor/doctor.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_reboot(const ManifestReport& manifests);

}  // namespace berth::agent
