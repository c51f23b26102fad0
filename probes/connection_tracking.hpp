// Whether connections of probes are closed by reset, so that the node's table of tracked
// connections drains, and what is to be said of the table.
//
// Pure. Once anything on a node asks for connection tracking (any CNI does), the kernel keeps each
// connection in a table, also after its end: 120 s after a plain close, 10 s after a reset. The
// default of 262,144 entries is full 26 s into 10,000 probes a second; then new connections are
// dropped, and probes time out by our own doing. But a server may log a reset as an error, so
// nothing is reset for numbers of probes that the table does not notice.
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
  std::uint64_t limit = 0;     // 0: connections are not tracked here
  Nanoseconds kept_closed{0};  // how long an entry stays after a plain close
  Nanoseconds kept_reset{0};   // and after a reset

  bool operator==(const TrackingTable&) const = default;
};

enum class Closing : std::uint8_t {
  kPlain,
  kReset,  // once the answer is complete
};

// `a_second`: connections that probes close. Resets begin where plain closes would take a quarter
// of the table and it is filling indeed, and end at half that rate.
[[nodiscard]] Closing closing(Closing before, const TrackingTable& table, double a_second);

// New connections are dropped, or were a moment ago.
[[nodiscard]] bool is_full(const TrackingTable& table);

// A connection that did not come about while the table was full says nothing of its target.
[[nodiscard]] Attempt without_full_table(Attempt attempt, const TrackingTable& table);

// Of probes that come near the table's limit, or that are closed by reset because of it.
struct TrackingWords {
  std::optional<std::string> warning{};  // near the limit: what is so, and what to do
  std::optional<std::string> note{};     // by reset
};
[[nodiscard]] TrackingWords tracking_words(Closing now, const TrackingTable& table,
                                           double a_second);

}  // namespace berth::probes
