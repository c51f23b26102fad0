// Whether berthd knows by now what runs on the node: until the container runtime has answered, and
// what runs has been looked at, a list of pods would leave some out, or all.
//
// Loop thread only.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"

namespace berth::agent {

class PodsKnown {
 public:
  explicit PodsKnown(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  // From now on it does.
  void begin();
  [[nodiscard]] bool yet() const { return known_; }
  // True: it does; false: the deadline came first. Any number of waiters.
  [[nodiscard]] boost::asio::awaitable<bool> by(Clock& clock, std::optional<SteadyTime> deadline);

 private:
  boost::asio::any_io_executor executor_;
  bool known_ = false;
  std::vector<std::weak_ptr<Notification>> waiters_{};
};

}  // namespace berth::agent
