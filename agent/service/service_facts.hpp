// SPDX-License-Identifier: Apache-2.0

// What berthd knows now of what its status line is made of. Loop thread.
#pragma once

#include "agent/control_sources.hpp"
#include "agent/service/service_status.hpp"

namespace berth::agent {

[[nodiscard]] ServiceFacts service_facts(const ControlSources& sources);

}  // namespace berth::agent
