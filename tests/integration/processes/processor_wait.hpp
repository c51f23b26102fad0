// SPDX-License-Identifier: Apache-2.0

// How long a process had to wait for a processor, so that a test of its lateness on a busy machine
// judges the process and not the machine.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "base/clock.hpp"

namespace berth::integration {

// What a thread had waited by then: ready to run, and another ran.
struct WaitSample {
  SteadyTime at{};
  Nanoseconds waited{};
};

// The most that can have been waited within any span of this length, by samples in order of time.
[[nodiscard]] Nanoseconds most_waited(const std::vector<WaitSample>& samples, Nanoseconds span);

// Reads the waits of the process's first thread (/proc/PID/schedstat) fifty times a second, until
// it is destroyed; no more once the process is gone. Any thread may ask.
class ProcessorWait {
 public:
  explicit ProcessorWait(pid_t process);
  ProcessorWait(const ProcessorWait&) = delete;
  ProcessorWait& operator=(const ProcessorWait&) = delete;
  ~ProcessorWait() = default;

  [[nodiscard]] Nanoseconds most_within(Nanoseconds span) const;

 private:
  void watch(const std::stop_token& stop, pid_t process);

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<WaitSample> samples_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace berth::integration
