// SPDX-License-Identifier: Apache-2.0

// How much history the state file keeps: events and ledger; the oldest are dropped first.
//
// Pods' memories do not count: they are kept as long as their pods. Runs on the thread that owns
// the file.
#pragma once

#include <chrono>
#include <cstdint>

#include "agent/events/event_store.hpp"
#include "agent/store/store_file.hpp"
#include "base/clock_types.hpp"
#include "base/result.hpp"

namespace berth::agent {

struct HistoryLimits {
  // A container that is restarted makes some ten records each time: 20 000 cover weeks of a quiet
  // node and a day of a very busy one.
  std::int64_t records = 20'000;
  std::chrono::hours record_age = std::chrono::days(7);
  EventLimits events{};
  // The whole file; beyond it history is dropped. 20 000 records of 2 to 3 KiB fit.
  std::int64_t file_bytes = 64 << 20;
};

// Within a transaction: drops what exceeds the limits. Ages of records are relative to the newest
// record; those of events to the newest event, or to `now` if that one is of the future, because
// the clock was ahead and has been set back.
[[nodiscard]] Result<bool> trim_history(StoreFile& file, const HistoryLimits& limits, WallTime now);

// In a transaction of its own: drops the oldest records, a tenth but at least 500, and, as there
// are few of them, all events if no record was left.
[[nodiscard]] Result<bool> make_room(StoreFile& file);

// Whether history may be written.
[[nodiscard]] Result<bool> history_fits(StoreFile& file, const HistoryLimits& limits);

}  // namespace berth::agent
