// SPDX-License-Identifier: Apache-2.0

// What is available of the node's memory, or of a cgroup's, by the kernel's own counters and the
// kubelet's formula, read about every millisecond by a thread of its own.
//
// Runs in the bench's process, so that berthd is measured from outside.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agent/eviction/memory_cgroups.hpp"
#include "base/clock_types.hpp"

namespace berth::bench {

struct Crossing {
  SteadyTime at{};            // of the first reading below the threshold
  double bytes_a_second = 0;  // at which it was approached
};

class MemoryWatch {
 public:
  // `cgroup`: as cgroupfs_path names it; "/": the node.
  explicit MemoryWatch(std::string cgroup);
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;
  ~MemoryWatch() = default;

  // The current value, read by the caller's thread; throws std::runtime_error if it cannot be read.
  [[nodiscard]] std::int64_t available() const;
  // Drops earlier readings, and keeps those from now on.
  void begin();
  // Unset if it was not crossed since `begin`.
  [[nodiscard]] std::optional<Crossing> below(std::int64_t threshold) const;
  // When it fell below for good, according to the readings up to `until`: changes of the page cache
  // lift it above the threshold again. Unset if it was not below at `until`.
  [[nodiscard]] std::optional<SteadyTime> below_for_good(std::int64_t threshold,
                                                         SteadyTime until) const;
  // The lowest reading since `begin`.
  [[nodiscard]] std::int64_t lowest() const;

 private:
  struct Sample {
    SteadyTime at{};
    std::int64_t available = 0;
  };
  [[nodiscard]] std::optional<std::int64_t> reading() const;
  void watch(const std::stop_token& stop);

  const std::string cgroup_;
  const agent::MemoryCgroups cgroups_{"/sys/fs/cgroup"};
  mutable std::mutex mutex_;
  std::vector<Sample> samples_;
  bool keeps_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace berth::bench
