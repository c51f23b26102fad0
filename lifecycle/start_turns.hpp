// SPDX-License-Identifier: Apache-2.0

// Who goes first when many pods are begun together (a boot): each makes its first sandbox after
// those that were begun before it, which is by priority, then by name.
//
// A worker takes a place when it is made, and gives it back once its sandbox is under way or it has
// nothing to do for the moment. Nobody waits longer than `kPatience` for one that takes its time.
// Loop thread only; it outlives its places.
#pragma once

#include <chrono>
#include <list>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"

namespace berth::lifecycle {

class StartTurns {
 public:
  static constexpr Nanoseconds kPatience = std::chrono::seconds(2);

  StartTurns(boost::asio::any_io_executor executor, Clock& clock);

  class Place {
   public:
    explicit Place(StartTurns& turns);  // behind all others
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { give_back(); }

    // Completes when everybody before has given back their place.
    [[nodiscard]] boost::asio::awaitable<void> come();
    void give_back();

   private:
    StartTurns& turns_;
    SteadyTime patient_until_;
    std::list<Notification>::iterator bell_;
    bool held_ = true;
  };

 private:
  boost::asio::any_io_executor executor_;
  Clock& clock_;
  std::list<Notification> bells_;  // of those who hold a place, in order
};

}  // namespace berth::lifecycle
