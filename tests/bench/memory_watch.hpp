// SPDX-License-Identifier: Apache-2.0

// What is available of the node's memory, or of a cgroup's, by the kernel's own counters and the
// kubelet's formula, read about every millisecond by a thread of its own.
//
// In the bench's process, so that berthd is measured from outside.
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

  // Now, read by the caller's thread; throws std::runtime_error if the kernel does not say.
  [[nodiscard]] std::int64_t available() const;
  // Readings of before are forgotten, and those from now on are kept.
  void begin();
  // Unset: it was not crossed since `begin`.
  [[nodiscard]] std::optional<Crossing> below(std::int64_t threshold) const;
  // When it fell below for good, as far as was read by `until`: what comes and goes with the page
  // cache takes it above the threshold again. Unset: it was not below by then.
  [[nodiscard]] std::optional<SteadyTime> below_for_good(std::int64_t threshold,
                                                         SteadyTime until) const;
  // The least since `begin`.
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
