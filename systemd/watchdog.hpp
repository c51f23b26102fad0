// SPDX-License-Identifier: Apache-2.0

// Feeds the service manager's watchdog from a thread of its own, so that a loop that hangs is
// noticed and named as well: parts beat, and four times within the timeout the thread checks
// whether all of them did (heartbeats.hpp).
//
// `beat` from any thread. The destructor stops the thread; nothing is fed afterwards.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "systemd/heartbeats.hpp"

namespace berth::systemd {

class Watchdog {
 public:
  struct Ports {
    std::function<SteadyTime()> now{};
    std::function<void()> feed{};
    // Receives all late parts whenever they change, to be kept for after the abort; empty if none
    // is.
    std::function<void(const std::string& late)> note{};
    // Reports a part that is late or back; must not wait for the loop. Called last in a round, as
    // it may block.
    std::function<void(const Heartbeats::News& news)> say{};
  };
  // Ports are called on the watchdog's thread.
  Watchdog(Heartbeats heartbeats, Nanoseconds timeout, Ports ports);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  void beat(std::string_view part, SteadyTime at);
  // How often it checks, and how often a part should beat.
  [[nodiscard]] Nanoseconds interval() const { return interval_; }

 private:
  void run();

  Nanoseconds interval_;
  Ports ports_;
  std::mutex mutex_{};
  std::condition_variable bell_{};
  // Guarded by the mutex.
  Heartbeats heartbeats_;
  bool stopping_ = false;

  std::thread thread_{};
};

}  // namespace berth::systemd
