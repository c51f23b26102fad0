// SPDX-License-Identifier: Apache-2.0

// The mailbox of one that a pod's worker has, and the bell that wakes it.
//
// What others want is merged into what waits already (mailbox.hpp); child tasks that have something
// to report ring. Loop thread only. One waiter.
#pragma once

#include <optional>
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

  // What the worker has not come to yet.
  [[nodiscard]] const PodOrders& orders() const { return orders_; }
  // Merges orders into it, and rings. `waiting`: what becomes of the order to end that waits
  // already; unset: it stays as it is.
  void post(PodOrders orders, std::optional<Ending> waiting);
  // Hands over what waits. In std::exchange GCC 12 sees uninitialised reads that are not there.
  [[nodiscard]] PodOrders collect() {
    PodOrders collected;
    std::swap(collected, orders_);
    return collected;
  }

  void ring() { bell_.notify(); }
  // Until somebody rings, or until then.
  [[nodiscard]] boost::asio::awaitable<void> rest(Clock& clock, std::optional<SteadyTime> until);
  // The worker has nothing to do, and collects what comes at once.
  [[nodiscard]] bool resting() const { return resting_; }

 private:
  PodOrders orders_{};
  Notification bell_;
  bool resting_ = false;
};

}  // namespace berth::lifecycle
