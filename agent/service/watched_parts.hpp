// SPDX-License-Identifier: Apache-2.0

// The parts of berthd that the watchdog watches, and how each of them sends heartbeats.
//
//   main loop      takes its turns                                     half of the watchdog's time
//   runtime watch  asks the runtime in rounds, answered or not         three minutes
//   file pool      takes work: one file that hangs does not stop it    two minutes
//   store writer   takes its turns                                     five minutes
//
// The limits are longer than anything that these wait for by design: a round of the runtime watch
// is half a minute of unanswered calls; stuck file work is replaced after ten seconds; the disk may
// hold up the store, and berthd manages what runs meanwhile, but after minutes a new berthd is the
// better guess. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/blocking_pool.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/task_group.hpp"
#include "systemd/watchdog.hpp"

namespace berth::agent {

inline constexpr Nanoseconds kRuntimeWatchLimit = std::chrono::minutes(3);
inline constexpr Nanoseconds kFilePoolLimit = std::chrono::minutes(2);
inline constexpr Nanoseconds kStoreWriterLimit = std::chrono::minutes(5);

[[nodiscard]] std::vector<systemd::WatchedPart> watched_parts(Nanoseconds watchdog_timeout);
// The line that is logged before berthd is aborted, or when the late part makes progress again;
// valid as long as `news`.
[[nodiscard]] LogLine late_line(const systemd::Heartbeats::News& news);

class PartBeats {
 public:
  struct Ports {
    Clock& clock;
    BlockingPool& pool;
    std::function<SteadyTime()> runtime_asked_at{};
    std::function<boost::asio::awaitable<void>()> store_turn{};  // done once the writer took a turn
    std::string late_note{};  // the file that names a part before berthd is aborted (late_note.hpp)
  };
  PartBeats(Ports ports, Nanoseconds watchdog_timeout);

  // Runs until `tasks` are stopped.
  void begin(TaskGroup& tasks);

 private:
  boost::asio::awaitable<void> beat_loop();
  boost::asio::awaitable<void> beat_pool();
  boost::asio::awaitable<void> beat_store();

  Ports ports_;
  systemd::Watchdog watchdog_;
};

// Null if the service manager does not watch this process; kInvalid if what it requests makes no
// sense. Reads the environment.
[[nodiscard]] Result<std::unique_ptr<PartBeats>> watch_parts(PartBeats::Ports ports);

}  // namespace berth::agent
