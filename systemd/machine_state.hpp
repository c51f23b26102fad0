// SPDX-License-Identifier: Apache-2.0

// Whether the machine is going off by the service manager's word.
//
// systemd's state is "stopping" as soon as a shutdown is queued, whoever asked for it and whether
// systemd-logind announced it or not: that tells a service why it is stopped. Asked over the
// manager's own socket, because the system bus may have been stopped before. Blocking, for
// as long as systemd takes.
#pragma once

#include <string>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::systemd {

inline constexpr const char* kManagerSocket = "/run/systemd/private";

// An error: nobody answers within `limit`, as where systemd is not the service manager.
[[nodiscard]] Result<bool> machine_goes_off(Nanoseconds limit,
                                            const std::string& socket = kManagerSocket);

}  // namespace berth::systemd
