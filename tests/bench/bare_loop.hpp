// What a probe costs that nobody schedules, judges or counts: the measure that probes are held
// against.
#pragma once

#include <cstdint>

#include "base/clock_types.hpp"

namespace berth::bench {

enum class BareExchange : std::uint8_t {
  kWhole,        // connect, send, receive, close
  kConnectOnly,  // connect, close
};

// `count` of them one after another, blocking, over the same addresses as the probes: time on a
// processor for each.
[[nodiscard]] Nanoseconds bare_cost(BareExchange exchange, int count, int addresses,
                                    std::uint16_t port);

}  // namespace berth::bench
