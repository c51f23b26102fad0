// SPDX-License-Identifier: Apache-2.0

// Readings from the texts of /proc: memory and swap, stalls, tasks.
//
// Pure. Values that a text lacks, or has in a form other than the kernel's, are unset.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

// /proc/meminfo, in bytes.
struct MemInfo {
  std::optional<std::int64_t> total{};      // MemTotal
  std::optional<std::int64_t> available{};  // MemAvailable
  std::optional<std::int64_t> swap_total{};
  std::optional<std::int64_t> swap_free{};
  std::optional<std::int64_t> anonymous{};      // AnonPages
  std::optional<std::int64_t> cached{};         // Cached; the kernel counts the next two beside it
  std::optional<std::int64_t> buffers{};        // Buffers
  std::optional<std::int64_t> swap_cached{};    // SwapCached
  std::optional<std::int64_t> inactive_file{};  // Inactive(file)

  bool operator==(const MemInfo&) const = default;
};
[[nodiscard]] MemInfo parse_meminfo(std::string_view text);

[[nodiscard]] std::optional<AmountReading> node_memory_with_cache(const MemInfo& info,
                                                                  std::optional<WallTime> time);

// The node's working set by the machine's own counters. It differs from the root cgroup's by what
// the kernel has not summed up yet, and is read from a single file.
[[nodiscard]] std::optional<std::int64_t> memory_in_use(const MemInfo& info);

// `std::nullopt` without swap: a share of nothing cannot be short.
[[nodiscard]] std::optional<AmountReading> swap_reading(const MemInfo& info,
                                                        std::optional<WallTime> time);

// /proc/pressure/memory or io, memory.pressure or io.pressure of a cgroup: "some avg10=1.23
// avg60=... avg300=... total=..." and the same with "full". `std::nullopt` unless both lines are
// present.
[[nodiscard]] std::optional<StallReading> parse_pressure(std::string_view text,
                                                         std::optional<WallTime> time);

// Tasks of the whole machine: the number after the slash in /proc/loadavg.
[[nodiscard]] std::optional<std::int64_t> parse_loadavg_tasks(std::string_view text);

// `pid_max`, `threads_max`: from /proc/sys/kernel. The limit is the smaller of those that could be
// read.
[[nodiscard]] PidReading pid_reading(std::optional<std::int64_t> tasks,
                                     std::optional<std::int64_t> pid_max,
                                     std::optional<std::int64_t> threads_max,
                                     std::optional<WallTime> time);

}  // namespace berth::eviction
