// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/memory_watch.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <poll.h>
#include <sys/sysinfo.h>

#include "base/real_clock.hpp"

namespace berth::bench {
namespace {

// Over which the rate is taken: enough readings, and near the threshold.
constexpr auto kApproach = std::chrono::milliseconds(300);

std::int64_t memory_of_the_node() {
  struct sysinfo info {};
  ::sysinfo(&info);
  return static_cast<std::int64_t>(info.totalram) * info.mem_unit;
}

}  // namespace

MemoryWatch::MemoryWatch(std::string cgroup)
    : cgroup_(std::move(cgroup)), thread_([this](const std::stop_token& stop) { watch(stop); }) {}

std::optional<std::int64_t> MemoryWatch::reading() const {
  const eviction::CgroupMemory memory = cgroups_.memory(cgroup_);
  const auto limit = cgroup_ == "/" ? std::optional(memory_of_the_node()) : memory.limit;
  return memory_reading(memory, limit, std::nullopt).available;
}

std::int64_t MemoryWatch::available() const {
  const auto left = reading();
  if (!left) throw std::runtime_error("the kernel does not say what is left of " + cgroup_);
  return *left;
}

void MemoryWatch::begin() {
  const std::scoped_lock lock(mutex_);
  samples_.clear();
  keeps_ = true;
}

std::optional<Crossing> MemoryWatch::below(std::int64_t threshold) const {
  const std::scoped_lock lock(mutex_);
  const auto crossed = std::ranges::find_if(
      samples_, [threshold](const Sample& one) { return one.available < threshold; });
  if (crossed == samples_.end()) return std::nullopt;
  const auto near = std::ranges::find_if(
      samples_, [&](const Sample& one) { return crossed->at - one.at <= kApproach; });
  const double seconds = std::chrono::duration<double>(crossed->at - near->at).count();
  const auto gone = static_cast<double>(near->available - crossed->available);
  return Crossing{.at = crossed->at, .bytes_a_second = seconds > 0 ? gone / seconds : 0};
}

std::optional<SteadyTime> MemoryWatch::below_for_good(std::int64_t threshold,
                                                      SteadyTime until) const {
  const std::scoped_lock lock(mutex_);
  std::optional<SteadyTime> since;
  for (const Sample& one : samples_) {
    if (one.at > until) break;
    if (one.available >= threshold)
      since.reset();
    else if (!since)
      since = one.at;
  }
  return since;
}

std::int64_t MemoryWatch::lowest() const {
  const std::scoped_lock lock(mutex_);
  const auto least = std::ranges::min_element(samples_, {}, &Sample::available);
  return least == samples_.end() ? 0 : least->available;
}

// The time is taken before the reading, so a crossing is dated a millisecond late at most, and a
// reaction looks faster than it was by no more than that.
void MemoryWatch::watch(const std::stop_token& stop) {
  const RealClock clock;
  while (!stop.stop_requested()) {
    ::poll(nullptr, 0, 1);  // a millisecond
    {
      const std::scoped_lock lock(mutex_);
      if (!keeps_) continue;
    }
    const SteadyTime at = clock.steady_now();
    const auto left = reading();
    const std::scoped_lock lock(mutex_);
    if (left) samples_.push_back({.at = at, .available = *left});
  }
}

}  // namespace berth::bench
