// SPDX-License-Identifier: Apache-2.0

// Who else may run pods on this machine, by its name or by a kubelet's port, and who has taken
// berthd's own port. Pure.
#pragma once

#include <vector>

#include "agent/doctor/finding.hpp"
#include "agent/doctor/machine_facts.hpp"
#include "agent/settings/settings.hpp"

namespace berth::agent {

[[nodiscard]] std::vector<Finding> examine_others(const HttpSettings& http,
                                                  const MachineFacts& facts);

}  // namespace berth::agent
