// SPDX-License-Identifier: Apache-2.0

// How the bench waits: for something that another thread will see, with a limit, until Ctrl-C.
//
// The thread that changes the condition calls notify(). Relevant times are taken by the thread that
// saw the event, so it does not matter how soon the waiter wakes.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "base/clock_types.hpp"

namespace berth::bench {

// Ctrl-C or SIGTERM: everything is cleaned up on the way out.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

class Waiting {
 public:
  Waiting();  // from now on the two signals are recorded instead of terminating the process

  void notify();
  // False if the limit passes first. Throws Interrupted.
  bool until(const std::function<bool()>& come, Nanoseconds limit);
  void pause(Nanoseconds length);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace berth::bench
