// What berthd knows of itself, for those who ask how it is.
//
// Gathering asks nobody outside and changes nothing, so that it tells of an agent that hangs as
// well.
#pragma once

#include "agent/control_sources.hpp"
#include "agent/health.hpp"

namespace berth::agent {

[[nodiscard]] HealthInput health_input(const ControlSources& sources, const LoopBeat& loop);

}  // namespace berth::agent
