// SPDX-License-Identifier: Apache-2.0

// This machine's own addresses. Blocking (but quick).
#pragma once

#include <string>
#include <vector>

namespace berth::node {

// Addresses that others can reach, best first: those of the interface with the default route, then
// the others; IPv4 before IPv6. No loopback, link-local or multicast addresses.
[[nodiscard]] std::vector<std::string> local_addresses();

}  // namespace berth::node
