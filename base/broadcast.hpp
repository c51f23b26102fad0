// SPDX-License-Identifier: Apache-2.0

// A signal that many coroutines wait for at once: each ring wakes all that are waiting at that
// moment.
//
// Unlike a Notification it remembers nothing: a coroutine that starts to wait after a ring waits
// for the next one, so it must check its condition first. Waiters are woken in order of arrival.
// Waiting honours cancellation. Loop thread only; it outlives its waiters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/suspend.hpp"

namespace berth {

class Broadcast {
 public:
  explicit Broadcast(boost::asio::any_io_executor executor);
  Broadcast(const Broadcast&) = delete;
  Broadcast& operator=(const Broadcast&) = delete;
  ~Broadcast();

  void ring();

  // Completes at the next ring. If cancelled, throws system_error(operation_aborted).
  [[nodiscard]] boost::asio::awaitable<void> wait();

  // The same with a deadline; true if it rang, false if the deadline passed first.
  [[nodiscard]] boost::asio::awaitable<bool> wait_until(Clock& clock, SteadyTime deadline);

 private:
  struct Sleeper {
    Waiter waiter{};
    bool* rang = nullptr;  // points into the waiting coroutine
  };

  [[nodiscard]] boost::asio::awaitable<void> sleep(std::uint64_t number, bool* rang);
  void end_wait(std::uint64_t number, boost::system::error_code outcome);

  boost::asio::any_io_executor executor_;
  std::map<std::uint64_t, Sleeper> sleepers_{};  // by number, i.e. in order of arrival
  std::uint64_t next_ = 0;
};

}  // namespace berth
