// SPDX-License-Identifier: Apache-2.0

// Whether the service manager watches this process, and within which time it wants to hear from it:
// WATCHDOG_USEC and WATCHDOG_PID, read as the kubelet reads them. Pure.
#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::systemd {

// The two variables as they are in the environment; none: not set.
struct WatchdogVariables {
  std::optional<std::string> usec{};
  std::optional<std::string> pid{};
};

// None: nobody watches us (no WATCHDOG_USEC, or WATCHDOG_PID is another process). kInvalid, in the
// kubelet's words, for what is no number, and for a second or less: too little for a machine that
// is busy.
[[nodiscard]] Result<std::optional<Nanoseconds>> requested_watchdog(
    const WatchdogVariables& variables, pid_t self);

}  // namespace berth::systemd
