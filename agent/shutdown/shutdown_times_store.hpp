// SPDX-License-Identifier: Apache-2.0

// Keeps the times of the last shutdown across restarts of berthd and of the machine, in the state
// file.
//
// Written as history: it never waits, and a full or broken disk loses these times and nothing else.
// Loop thread only; the store outlives it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "agent/shutdown/shutdown_times.hpp"
#include "agent/store/sqlite_store.hpp"
#include "base/result.hpp"

namespace berth::agent {

class ShutdownTimesStore {
 public:
  explicit ShutdownTimesStore(SqliteStore& store) : store_(store) {}

  void keep(const ShutdownTimes& times);
  // What an earlier berthd persisted; unset where it persisted nothing. Read on the writer's
  // thread.
  [[nodiscard]] boost::asio::awaitable<Result<ShutdownTimes>> recall();

 private:
  SqliteStore& store_;
};

}  // namespace berth::agent
