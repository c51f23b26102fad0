// SPDX-License-Identifier: Apache-2.0

// Keeps the pressure history across restarts of berthd, in the state file.
//
// One write per minute through the store's writer, as history: it never waits, and a full or broken
// disk loses that history and nothing else. If berthd is killed, at most a minute is lost beside
// what the writer had not written yet (milliseconds). Loop thread only; the store outlives it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "agent/eviction/pressure_minutes.hpp"
#include "agent/eviction/pressure_rows.hpp"
#include "agent/store/sqlite_store.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"

namespace berth::agent {

class PressureStore {
 public:
  PressureStore(SqliteStore& store, Clock& clock) : store_(store), clock_(clock) {}

  void remember(const eviction::Sample& sample);
  // Writes the incomplete minute.
  void flush();

  // What an earlier berthd kept, on the current clock. Read on the writer's thread.
  [[nodiscard]] boost::asio::awaitable<Result<PressureRows>> recall();

 private:
  void keep(eviction::Sample minute);

  SqliteStore& store_;
  Clock& clock_;
  PressureMinutes minutes_{};
};

}  // namespace berth::agent
