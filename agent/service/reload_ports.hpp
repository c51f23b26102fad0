// SPDX-License-Identifier: Apache-2.0

// A reload in the agent: what it reads, where it brings settings into force, and who is told.
#pragma once

#include "agent/eviction/node_eviction.hpp"
#include "agent/service/reload.hpp"
#include "base/notification.hpp"

namespace berth::agent {

// All of them outlive the reload. `log` comes from make_log.
[[nodiscard]] Reloading::Ports reload_ports(const Options& options, NodeEviction& eviction,
                                            Log& log);

// Until cancelled: reloads whenever `told` is notified, as by SIGHUP; a second notification before
// the first is taken counts as the same one. The service manager hears of the reload only once it
// knows that berthd is ready.
[[nodiscard]] boost::asio::awaitable<void> reload_when_told(Reloading& reloading,
                                                            Notification& told,
                                                            const bool& known_as_ready,
                                                            Clock& clock);

}  // namespace berth::agent
