// SPDX-License-Identifier: Apache-2.0

// Asks systemd-logind once how long it delays a shutdown of the machine, for use while no berthd
// runs (a running one knows already). Blocking.
#pragma once

#include "base/clock_types.hpp"
#include "systemd/logind.hpp"

namespace berth::agent {

// A state without an error if it has answered.
[[nodiscard]] systemd::LoginState look_at_login(Nanoseconds limit,
                                                systemd::OpenBus open = systemd::open_system_bus);

}  // namespace berth::agent
