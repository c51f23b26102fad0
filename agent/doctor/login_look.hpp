// SPDX-License-Identifier: Apache-2.0

// Asks systemd-logind once how long it delays the machine's end, where no berthd does. Blocking.
#pragma once

#include "base/clock_types.hpp"
#include "systemd/logind.hpp"

namespace berth::agent {

// A state without an error: it has answered.
[[nodiscard]] systemd::LoginState look_at_login(Nanoseconds limit,
                                                systemd::OpenBus open = systemd::open_system_bus);

}  // namespace berth::agent
