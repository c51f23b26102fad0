// SPDX-License-Identifier: Apache-2.0

// A network namespace for this process alone, in which the kernel tracks connections as on a node
// with CNI.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace berth::bench {

// Moves the calling process (one thread so far) into a new network namespace with a loopback, and
// adds a rule that needs connection tracking. The machine's own network is not touched; everything
// is removed with the process. Fails if that is not possible: no root, no iptables, a kernel
// without connection tracking.
[[nodiscard]] Result<void> enter_tracked_network();

struct TrackedConnections {
  std::uint64_t entries = 0;
  std::uint64_t limit = 0;
};
[[nodiscard]] TrackedConnections tracked_connections();

}  // namespace berth::bench
