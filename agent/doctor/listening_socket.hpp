// SPDX-License-Identifier: Apache-2.0

// Which processes listen on TCP ports, from the kernel's tables.
//
// Blocking: searches the descriptors of every process that it may inspect.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "agent/doctor/machine_facts.hpp"

namespace berth::agent {

// The processes that listen, by port. A process that the caller may not inspect has the pid 0 and
// no name.
[[nodiscard]] std::map<std::int32_t, ProcessFacts> who_listens(const std::string& proc,
                                                               const std::set<std::int32_t>& ports);

}  // namespace berth::agent
