// SPDX-License-Identifier: Apache-2.0

// What a reload reads, and where it brings settings into force, in the agent.
#pragma once

#include "agent/eviction/node_eviction.hpp"
#include "agent/service/reload.hpp"

namespace berth::agent {

// All of them outlive the reload. `log` comes from make_log.
[[nodiscard]] Reloading::Ports reload_ports(const Options& options, NodeEviction& eviction,
                                            Log& log);

}  // namespace berth::agent
