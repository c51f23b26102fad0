// How the bench waits: for something that another thread will see, with a limit, until Ctrl-C.
//
// Whoever changes what is waited for calls notify(). Moments that count are taken by the thread
// that saw them, so how soon the waiting one wakes does not matter.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "base/clock_types.hpp"

namespace berth::bench {

// Ctrl-C or SIGTERM: everything is taken down on the way out.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

class Waiting {
 public:
  Waiting();  // from now on the two signals are noted rather than ending the process

  void notify();
  // False when the limit passes first. Throws Interrupted.
  bool until(const std::function<bool()>& come, Nanoseconds limit);
  void pause(Nanoseconds length);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace berth::bench
