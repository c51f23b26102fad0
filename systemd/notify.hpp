// SPDX-License-Identifier: Apache-2.0

// What berthd reports to the service manager through the socket that NOTIFY_SOCKET names
// (sd_notify(3), path or abstract). Without that variable each of these does nothing; a message
// that cannot be delivered is dropped, because nothing could act on the failure. Any thread.
#pragma once

#include <string>

#include "base/clock_types.hpp"

namespace berth::systemd {

// The unit has started, or has finished a reload.
void notify_ready();
// The line that `systemctl status` shows.
void notify_status(const std::string& line);
// A reload begins; followed by notify_ready. `now` is CLOCK_MONOTONIC, by which systemd 253 and
// later distinguish this reload from the one before.
void notify_reloading(SteadyTime now);
void notify_stopping();
// Extends the service manager's timeout for the start or stop under way to `time` from now.
void notify_longer(Nanoseconds time);
// Feeds the watchdog.
void notify_alive();

}  // namespace berth::systemd
