// SPDX-License-Identifier: Apache-2.0

// A shutdown of the machine, for a berthd that receives SIGTERM: pods are stopped in order even if
// systemd-logind did not announce it, or did not wait until all were stopped.
//
// systemd stops its services in the reverse of the order in which it started them, so that the
// runtime and the network are still there, and waits as long as berthd asks it to. Loop thread.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "agent/shutdown/node_shutdown.hpp"
#include "base/log.hpp"

namespace berth::agent {

// Completes when no pod is left to be stopped: at once if berthd alone is stopped, which leaves the
// pods running, or if systemd does not report why, which is logged. `shutdown` must have been
// started.
[[nodiscard]] boost::asio::awaitable<void> stop_pods_of_a_machine_that_goes_off(
    NodeShutdown& shutdown, Log& log);

}  // namespace berth::agent
