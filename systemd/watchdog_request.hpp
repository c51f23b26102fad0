// SPDX-License-Identifier: Apache-2.0

// Whether the service manager's watchdog covers this process, and with which timeout: WATCHDOG_USEC
// and WATCHDOG_PID, read as the kubelet reads them. Pure.
#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::systemd {

// The two variables as they are in the environment; unset if not there.
struct WatchdogVariables {
  std::optional<std::string> usec{};
  std::optional<std::string> pid{};
};

// Unset if no watchdog covers us (no WATCHDOG_USEC, or WATCHDOG_PID is another process). kInvalid,
// in the kubelet's words, for a value that is not a number, and for a second or less: too little
// for a busy machine.
[[nodiscard]] Result<std::optional<Nanoseconds>> requested_watchdog(
    const WatchdogVariables& variables, pid_t self);

}  // namespace berth::systemd
