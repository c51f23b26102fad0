// SPDX-License-Identifier: Apache-2.0

// A flag that a coroutine can wait for, e.g. a mailbox's signal.
//
// Notifying sets it, waiting clears it; two notifications before the wait count as one. One waiter
// at a time. Waiting honours cancellation. Loop thread only; it outlives its waiter.
#pragma once

#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/system/error_code.hpp>

#include "base/clock.hpp"

namespace berth {

class Notification {
 public:
  explicit Notification(boost::asio::any_io_executor executor);
  Notification(const Notification&) = delete;
  Notification& operator=(const Notification&) = delete;
  ~Notification();

  void notify();
  [[nodiscard]] bool pending() const { return set_; }

  // Completes when notified. If cancelled, throws system_error(operation_aborted).
  [[nodiscard]] boost::asio::awaitable<void> wait();

  // The same with a deadline; true if notified, false if the deadline passed first. Without a
  // deadline it waits for ever.
  [[nodiscard]] boost::asio::awaitable<bool> wait_until(Clock& clock,
                                                        std::optional<SteadyTime> deadline);

 private:
  struct Sleeper;

  // Completes when the flag is set, and leaves it set; or when end_wait() is called.
  [[nodiscard]] boost::asio::awaitable<void> wait_set();
  void end_wait(boost::system::error_code outcome);

  boost::asio::any_io_executor executor_;
  bool set_ = false;
  std::unique_ptr<Sleeper> sleeper_;
};

}  // namespace berth
