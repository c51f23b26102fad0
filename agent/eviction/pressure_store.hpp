// SPDX-License-Identifier: Apache-2.0

// Keeps the pressure history across restarts of berthd, in the state file.
//
// One write a minute through the store's writer, as history: it never waits, and what a full or
// broken disk does not take is lost and nothing else. A kill loses a minute at most beside what
// the writer had not taken yet (milliseconds). Loop thread only; the store outlives it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/pressure_minutes.hpp"
#include "agent/eviction/pressure_rows.hpp"
#include "agent/sqlite_store.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"

namespace berth::agent {

class PressureStore {
 public:
  PressureStore(SqliteStore& store, Clock& clock) : store_(store), clock_(clock) {}

  void remember(const eviction::Sample& sample);
  // Writes the minute that is not full.
  void flush();

  // What an earlier berthd kept, on today's clock. Read on the writer's thread.
  [[nodiscard]] boost::asio::awaitable<Result<PressureRows>> recall();

 private:
  void keep(eviction::Sample minute);

  SqliteStore& store_;
  Clock& clock_;
  PressureMinutes minutes_{};
};

}  // namespace berth::agent
