// SPDX-License-Identifier: Apache-2.0

// The cost of a probe without scheduling, judging or counting: the baseline for probes.
#pragma once

#include <cstdint>

#include "base/clock_types.hpp"

namespace berth::bench {

enum class BareExchange : std::uint8_t {
  kWhole,        // connect, send, receive, close
  kConnectOnly,  // connect, close
};

// Makes `count` exchanges one after another, blocking, over the same addresses as the probes;
// returns the CPU time of each.
[[nodiscard]] Nanoseconds bare_cost(BareExchange exchange, int count, int addresses,
                                    std::uint16_t port);

}  // namespace berth::bench
