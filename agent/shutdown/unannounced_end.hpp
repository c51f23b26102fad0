// SPDX-License-Identifier: Apache-2.0

// The machine's end for a berthd that is told to stop (SIGTERM): pods are stopped in order even if
// systemd-logind did not announce it, or did not wait until all were.
//
// systemd stops its services in the reverse of the order in which it started them, so that the
// runtime and the network are still there, and waits as long as berthd asks it to. Loop thread.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "agent/shutdown/node_shutdown.hpp"
#include "base/log.hpp"

namespace berth::agent {

// Completes when no pod is left to be stopped: at once if berthd alone is stopped, which leaves the
// pods running, or if systemd does not say why, which is logged. `shutdown` has been started.
[[nodiscard]] boost::asio::awaitable<void> stop_pods_of_a_machine_that_goes_off(
    NodeShutdown& shutdown, Log& log);

}  // namespace berth::agent
