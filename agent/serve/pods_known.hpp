// SPDX-License-Identifier: Apache-2.0

// Whether berthd knows what runs on the node: until the container runtime has answered, and running
// pods have been found again, a list of pods would be incomplete or empty.
//
// Loop thread only.
#pragma once

#include <optional>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/broadcast.hpp"
#include "base/clock.hpp"

namespace berth::agent {

class PodsKnown {
 public:
  explicit PodsKnown(boost::asio::any_io_executor executor) : bell_(std::move(executor)) {}

  // Call once berthd knows what runs.
  void begin();
  [[nodiscard]] bool yet() const { return pods_known_; }
  // True once berthd knows; false if the deadline passed first. Any number of waiters.
  [[nodiscard]] boost::asio::awaitable<bool> by(Clock& clock, std::optional<SteadyTime> deadline);

 private:
  Broadcast bell_;
  bool pods_known_ = false;
};

}  // namespace berth::agent
