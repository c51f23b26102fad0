// Whether berthd knows by now what runs on the node: until the container runtime has answered, and
// what runs has been looked at, a list of pods would leave some out, or all.
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

  // From now on it does.
  void begin();
  [[nodiscard]] bool yet() const { return known_; }
  // True: it does; false: the deadline came first. Any number of waiters.
  [[nodiscard]] boost::asio::awaitable<bool> by(Clock& clock, std::optional<SteadyTime> deadline);

 private:
  Broadcast bell_;
  bool known_ = false;
};

}  // namespace berth::agent
