// SPDX-License-Identifier: Apache-2.0

// File systems below the configuration's hard thresholds, of bytes and of inodes: the node's, the
// images', and that of container logs, which eviction does not measure. Pure.
#pragma once

#include <vector>

#include "agent/doctor/finding.hpp"
#include "agent/doctor/machine_facts.hpp"
#include "agent/settings/settings.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_disks(const Settings& settings, const DiskFacts& disks);

}  // namespace berth::agent
