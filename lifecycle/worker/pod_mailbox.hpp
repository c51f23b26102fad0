// SPDX-License-Identifier: Apache-2.0

// The mailbox of a pod's worker, which holds a single message, and the bell that wakes the worker.
//
// New orders are merged into the pending ones (mailbox.hpp); child tasks that have something to
// report ring the bell. Loop thread only. One waiter.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "lifecycle/worker/mailbox.hpp"

namespace berth::lifecycle {

class PodMailbox {
 public:
  explicit PodMailbox(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {}
  PodMailbox(const PodMailbox&) = delete;
  PodMailbox& operator=(const PodMailbox&) = delete;
  ~PodMailbox() = default;

  // The orders that the worker has not collected yet.
  [[nodiscard]] const PodOrders& orders() const { return orders_; }
  // Merges the orders into the pending ones, and rings. `waiting`: replaces the pending order to
  // end; if unset, that order stays as it is.
  void post(PodOrders orders, std::optional<Ending> waiting);
  // Returns and clears the pending orders. No std::exchange: GCC 12 warns of uninitialised reads
  // that do not exist.
  [[nodiscard]] PodOrders collect() {
    PodOrders collected;
    std::swap(collected, orders_);
    return collected;
  }

  void ring() { bell_.notify(); }
  // Waits until somebody rings, or until `until`. `uid`: names the pod if an assertion breaks.
  [[nodiscard]] boost::asio::awaitable<void> rest(Clock& clock, std::optional<SteadyTime> until,
                                                  std::string_view uid);
  // Whether the worker is idle, and will collect new orders at once.
  [[nodiscard]] bool resting() const { return resting_; }

 private:
  PodOrders orders_{};
  Notification bell_;
  bool resting_ = false;
};

}  // namespace berth::lifecycle
