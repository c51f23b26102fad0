// SPDX-License-Identifier: Apache-2.0

// Collects the current facts for berthd's status line. Loop thread.
#pragma once

#include "agent/serve/control_sources.hpp"
#include "agent/service/service_status.hpp"

namespace berth::agent {

[[nodiscard]] ServiceFacts service_facts(const ControlSources& sources);

}  // namespace berth::agent
