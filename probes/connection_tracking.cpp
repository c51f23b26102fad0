// SPDX-License-Identifier: Apache-2.0

#include "probes/connection_tracking.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace berth::probes {
namespace {

// Fractions of the table.
constexpr double kFilling = 1.0 / 8;
constexpr double kTooMuch = 1.0 / 4;
constexpr double kLittle = 1.0 / 8;
constexpr double kNear = 3.0 / 4;
constexpr double kNearByProbes = 1.0 / 2;
constexpr double kFull = 0.95;

double seconds(Nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

double part_of(double entries, const TrackingTable& table) {
  return table.limit == 0 ? 0 : entries / static_cast<double>(table.limit);
}

double taken(const TrackingTable& table) {
  return part_of(static_cast<double>(table.entries), table);
}

double kept_by_probes(Closing now, const TrackingTable& table, double a_second) {
  return a_second * seconds(now == Closing::kReset ? table.kept_reset : table.kept_closed);
}

}  // namespace

Closing closing(Closing before, const TrackingTable& table, double a_second) {
  const double plain = part_of(kept_by_probes(Closing::kPlain, table, a_second), table);
  if (before == Closing::kReset) return plain < kLittle ? Closing::kPlain : Closing::kReset;
  const bool filling = taken(table) >= kFilling;
  return plain >= kTooMuch && filling ? Closing::kReset : Closing::kPlain;
}

bool is_full(const TrackingTable& table) {
  return taken(table) >= kFull;
}

Attempt without_full_table(Attempt attempt, const TrackingTable& table) {
  const bool no_connection = attempt.cause == Cause::kTimeout && attempt.phase == Phase::kConnect;
  if (!no_connection || attempt.errored || !is_full(table)) return attempt;
  attempt.outcome = Outcome::kUnknown;
  attempt.errored = true;
  attempt.cause = Cause::kOurs;
  attempt.output +=
      fmt::format(" (not counted: the node's connection tracking table is full, {} of {} entries)",
                  table.entries, table.limit);
  return attempt;
}

TrackingWords tracking_words(Closing now, const TrackingTable& table, double a_second) {
  TrackingWords out;
  const double kept = kept_by_probes(now, table, a_second);
  if (now == Closing::kReset) {
    out.note = fmt::format(
        "{:.0f} connections a second are closed by reset, so that connection tracking keeps {:.0f} "
        "entries of them and not {:.0f}",
        a_second, kept, kept_by_probes(Closing::kPlain, table, a_second));
  }
  const bool near = taken(table) >= kNear || part_of(kept, table) >= kNearByProbes;
  if (a_second <= 0 || !near) return out;
  out.warning = fmt::format(
      "connection tracking: {} of {} entries are taken, about {:.0f} of them by probes ({:.0f} "
      "connections a second); once it is full, new connections of the node and its pods are "
      "dropped (probes that time out because of that are not counted as failures): raise "
      "net.netfilter.nf_conntrack_max, or give probes longer periods",
      table.entries, table.limit, std::min(kept, static_cast<double>(table.entries)), a_second);
  return out;
}

}  // namespace berth::probes
