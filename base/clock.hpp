// SPDX-License-Identifier: Apache-2.0

// The source of time: the machine (RealClock) or a simulation (VirtualClock).
//
// One instance per agent, passed by reference to its users; it outlives them. All members are
// called on the loop thread. `sleep_until` honours the cancellation slot of the awaiting coroutine:
// when cancelled, it throws boost::system::system_error(operation_aborted).
#pragma once

#include <functional>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"

namespace berth {

// A scheduled call; releasing it before it is due cancels it.
using Alarm = std::shared_ptr<void>;

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  [[nodiscard]] virtual SteadyTime steady_now() const = 0;
  [[nodiscard]] virtual WallTime wall_now() const = 0;

  // For a deadline in the past, returns after one turn of the loop.
  [[nodiscard]] virtual boost::asio::awaitable<void> sleep_until(SteadyTime deadline) = 0;

  // Calls from the loop's queue, never on the caller's stack. For waits that mostly end before
  // their deadline: releasing an alarm costs next to nothing, unlike cancelling a sleeper.
  [[nodiscard]] virtual Alarm call_at(const boost::asio::any_io_executor& loop, SteadyTime moment,
                                      std::function<void()> call) = 0;

  [[nodiscard]] boost::asio::awaitable<void> sleep_for(Nanoseconds duration) {
    return sleep_until(steady_now() + duration);
  }
};

}  // namespace berth
