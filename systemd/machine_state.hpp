// SPDX-License-Identifier: Apache-2.0

// Whether the machine is shutting down, as reported by the service manager.
//
// systemd's state is "stopping" as soon as a shutdown is queued, whoever requested it and whether
// systemd-logind announced it or not: so a service learns why it is stopped. The query uses the
// manager's own socket, because the system bus may already have been stopped. Blocks for as long as
// systemd takes.
#pragma once

#include <string>

#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::systemd {

inline constexpr const char* kManagerSocket = "/run/systemd/private";

// An error if nothing answers within `limit`, as when systemd is not the service manager.
[[nodiscard]] Result<bool> machine_goes_off(Nanoseconds limit,
                                            const std::string& socket = kManagerSocket);

}  // namespace berth::systemd
