// SPDX-License-Identifier: Apache-2.0

// Which process listens on a TCP port, from the kernel's tables.
//
// Blocking: looks through the descriptors of every process that it may look at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agent/doctor/machine_facts.hpp"

namespace berth::agent {

// Unset: nobody listens. A process that the caller may not look at has the pid 0 and no name.
[[nodiscard]] std::optional<ProcessFacts> who_listens(const std::string& proc, std::int32_t port);

}  // namespace berth::agent
