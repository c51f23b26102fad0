// SPDX-License-Identifier: Apache-2.0

// Decides whether connections of probes are closed by reset, so that the node's connection tracking
// table drains, and words the state of that table.
//
// Pure. Once anything on a node uses connection tracking (any CNI does), the kernel keeps each
// connection in a table, even after its end: 120 s after a plain close, 10 s after a reset. The
// default of 262,144 entries is full 26 s into 10,000 probes a second; then new connections are
// dropped, and probes time out through our own fault. But a server may log a reset as an error, so
// nothing is reset while probes do not noticeably fill the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "probes/attempt.hpp"

namespace berth::probes {

// As the kernel shows it in /proc/sys/net/netfilter.
struct TrackingTable {
  std::uint64_t entries = 0;
  std::uint64_t limit = 0;     // 0: this node does not track connections
  Nanoseconds kept_closed{0};  // how long an entry stays after a plain close
  Nanoseconds kept_reset{0};   // how long after a reset

  bool operator==(const TrackingTable&) const = default;
};

enum class Closing : std::uint8_t {
  kPlain,
  kReset,  // after the answer is complete
};

// `a_second`: connections that probes close per second. Resets start once plain closes would occupy
// a quarter of the table and it is actually filling, and stop at half that rate.
[[nodiscard]] Closing closing(Closing before, const TrackingTable& table, double a_second);

// Whether new connections are dropped, or were a moment ago.
[[nodiscard]] bool is_full(const TrackingTable& table);

// A connection that failed while the table was full says nothing about its target.
[[nodiscard]] Attempt without_full_table(Attempt attempt, const TrackingTable& table);

// Texts about probes that approach the table's limit, or that are closed by reset because of it.
struct TrackingWords {
  std::optional<std::string> warning{};  // near the limit: the situation, and what to do
  std::optional<std::string> note{};     // set while closing by reset
};
[[nodiscard]] TrackingWords tracking_words(Closing now, const TrackingTable& table,
                                           double a_second);

}  // namespace berth::probes
