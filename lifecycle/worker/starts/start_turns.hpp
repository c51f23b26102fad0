// SPDX-License-Identifier: Apache-2.0

// The order in which pods that begin together, as at a boot, create their first sandboxes: the
// order in which their workers were made, which is by priority, then by name.
//
// A worker takes a place when it is made, and gives it back once its sandbox is being created or it
// has nothing to do for the moment. No worker waits longer than `kPatience` for the slower ones
// before it. Loop thread only; outlives its places.
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

    // Completes when all earlier places have been given back, or after kPatience.
    [[nodiscard]] boost::asio::awaitable<void> until_turn();
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
  std::list<Notification> bells_;  // one for each place that is held, in order
};

}  // namespace berth::lifecycle
