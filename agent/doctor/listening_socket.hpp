// SPDX-License-Identifier: Apache-2.0

// Which processes listen on TCP ports, from the kernel's tables.
//
// Blocking: looks through the descriptors of every process that it may look at.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "agent/doctor/machine_facts.hpp"

namespace berth::agent {

// By port, those that somebody listens on. A process that the caller may not look at has the pid 0
// and no name.
[[nodiscard]] std::map<std::int32_t, ProcessFacts> who_listens(const std::string& proc,
                                                               const std::set<std::int32_t>& ports);

}  // namespace berth::agent
