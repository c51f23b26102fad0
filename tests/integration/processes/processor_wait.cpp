// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/processes/processor_wait.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/real_clock.hpp"

namespace berth::integration {
namespace {

constexpr std::chrono::milliseconds kInterval{20};

// The second number, in nanoseconds (the kernel's sched-stats.rst).
std::optional<Nanoseconds> waited_by(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/schedstat", process));
  std::int64_t ran = 0;
  std::int64_t waited = 0;
  if (!(file >> ran >> waited)) return std::nullopt;
  return Nanoseconds(waited);
}

}  // namespace

Nanoseconds most_waited(const std::vector<WaitSample>& samples, Nanoseconds span) {
  Nanoseconds most{};
  auto end = samples.begin();
  for (auto begin = samples.begin(); begin != samples.end(); ++begin) {
    // The span may begin at any time before the next sample.
    const auto next = begin + 1;
    if (next == samples.end()) break;
    while (end + 1 != samples.end() && end->at < next->at + span) ++end;
    most = std::max(most, end->waited - begin->waited);
  }
  return most;
}

ProcessorWait::ProcessorWait(pid_t process)
    : thread_([this, process](const std::stop_token& stop) { watch(stop, process); }) {}

Nanoseconds ProcessorWait::most_within(Nanoseconds span) const {
  const std::scoped_lock lock(mutex_);
  return most_waited(samples_, span);
}

void ProcessorWait::watch(const std::stop_token& stop, pid_t process) {
  std::unique_lock lock(mutex_);
  while (const auto waited = waited_by(process)) {
    samples_.push_back({.at = RealClock{}.steady_now(), .waited = *waited});
    const auto stopped = [&stop] { return stop.stop_requested(); };
    if (changed_.wait_for(lock, stop, kInterval, stopped)) return;
  }
}

}  // namespace berth::integration
