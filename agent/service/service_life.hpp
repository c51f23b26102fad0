// SPDX-License-Identifier: Apache-2.0

// How berthd lives as a service: the signals that it is sent, whether it is ready, and how it ends.
//
//   SIGHUP            read the configuration again
//   SIGUSR1           report berthd's own state
//   SIGTERM, SIGINT   end
//
// Until `begin`, the terminating signals terminate the process at once, as berthd has started
// nothing yet; the others are kept. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "base/notification.hpp"

namespace berth::agent {

class ServiceLife {
 public:
  enum class Order : std::uint8_t { kReportState, kEnd, kGiveUp };

  explicit ServiceLife(boost::asio::io_context& loop);

  void begin();
  // The next order that is the agent's to carry out: a reload is passed on to `reload_requested`.
  [[nodiscard]] boost::asio::awaitable<Order> next_order();
  // Completes at SIGHUP; a second one before the first is handled counts as the same one. One
  // waiter at a time.
  [[nodiscard]] boost::asio::awaitable<void> reload_requested() { return hung_up_.wait(); }

  // The service manager knows that berthd is ready.
  void reported_ready() { ready_ = true; }
  [[nodiscard]] bool is_ready() const { return ready_; }

  // berthd ends without having been asked to; false if it ends already. `code`: what Agent::run
  // returns then.
  [[nodiscard]] bool give_up(int code);
  // berthd was asked to end, or gave up: it must start nothing more.
  [[nodiscard]] bool is_ending() const { return ends_with_.has_value(); }
  // 0 until it gives up, and once it was asked to end, even if it had given up a moment before.
  [[nodiscard]] int exit_code() const { return ends_with_.value_or(0); }

 private:
  boost::asio::signal_set signals_;
  Notification hung_up_;
  bool ready_ = false;
  std::optional<int> ends_with_{};  // 0 if a terminating signal was received
};

}  // namespace berth::agent
