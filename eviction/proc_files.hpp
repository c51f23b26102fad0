// Readings from texts of /proc: memory and swap, stalls, tasks.
//
// Pure. What a text does not hold, or holds in a form that is not the kernel's, is absent.
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

  bool operator==(const MemInfo&) const = default;
};
[[nodiscard]] MemInfo parse_meminfo(std::string_view text);

[[nodiscard]] std::optional<AmountReading> node_memory_with_cache(const MemInfo& info,
                                                                  std::optional<WallTime> time);
// None without swap: of nothing no share can be short.
[[nodiscard]] std::optional<AmountReading> swap_reading(const MemInfo& info,
                                                        std::optional<WallTime> time);

// /proc/pressure/memory, or memory.pressure of a cgroup: "some avg10=1.23 avg60=... total=..." and
// the same with "full". None unless both lines are there.
[[nodiscard]] std::optional<StallReading> parse_pressure(std::string_view text,
                                                         std::optional<WallTime> time);

// Tasks of the whole machine: the number after the slash in /proc/loadavg.
[[nodiscard]] std::optional<std::int64_t> parse_loadavg_tasks(std::string_view text);

// `pid_max`, `threads_max`: of /proc/sys/kernel. The smaller of those that could be read
// is the limit.
[[nodiscard]] PidReading pid_reading(std::optional<std::int64_t> tasks,
                                     std::optional<std::int64_t> pid_max,
                                     std::optional<std::int64_t> threads_max,
                                     std::optional<WallTime> time);

}  // namespace berth::eviction
