// SPDX-License-Identifier: Apache-2.0

// The node's container garbage collection: one timer for all pods, which runs only while one of
// them has something to be collected.
//
// A worker that has garbage reports it; a minute later (the kubelet's period) every worker that did
// is asked to collect. node/container_gc.hpp decides what a collection removes. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"

namespace berth::lifecycle {

class GarbageRounds {
 public:
  static constexpr Nanoseconds kPeriod = std::chrono::minutes(1);

  GarbageRounds(boost::asio::any_io_executor executor, Clock& clock);

  // The pod with that uid has something to collect. Idempotent.
  void has_garbage(const std::string& uid);

  // Runs until cancelled. Calls `collect` with each uid of a round.
  [[nodiscard]] boost::asio::awaitable<void> run(std::function<void(const std::string&)> collect);

 private:
  Clock& clock_;
  Notification bell_;
  std::set<std::string> uids_{};
};

}  // namespace berth::lifecycle
