// SPDX-License-Identifier: Apache-2.0

// Parses a cgroup's memory files and derives the kubelet's memory values from them.
//
//   working set = usage − inactive file cache      available = limit − working set
//
// Pure. The caller reads the files and passes their texts; what is missing or unreadable stays
// unset, never zero. Differences never go below zero: racing counters must not wrap around. Bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

enum class CgroupVersion : std::uint8_t { kV1, kV2 };

// On version 2 the root has no memory.current: its usage is the sum of anon and file of
// memory.stat, without the kernel's own memory, as in the kubelet.
enum class CgroupPlace : std::uint8_t { kRoot, kBelow };

// A text is unset if its file does not exist or could not be read.
struct CgroupMemoryTexts {
  std::optional<std::string> usage{};  // memory.current; version 1: memory.usage_in_bytes
  std::optional<std::string> stat{};   // memory.stat
  std::optional<std::string> limit{};  // memory.max; version 1: memory.limit_in_bytes
};

struct CgroupMemory {
  std::optional<std::int64_t> usage{};
  std::optional<std::int64_t> limit{};  // unset if unlimited or unknown
  std::optional<std::int64_t> inactive_file{};
  std::optional<std::int64_t> active_file{};
  std::optional<std::int64_t> file_dirty{};
  std::optional<std::int64_t> file_writeback{};

  bool operator==(const CgroupMemory&) const = default;
};

// Version 1 uses the total_ fields, which include all descendants.
[[nodiscard]] CgroupMemory parse_cgroup_memory(const CgroupMemoryTexts& texts,
                                               CgroupVersion version, CgroupPlace place);

// `limit`: MemTotal for the node, the cgroup's own otherwise.
[[nodiscard]] MemoryReading memory_reading(const CgroupMemory& memory,
                                           std::optional<std::int64_t> limit,
                                           std::optional<WallTime> time);

// For berth's own signal: counts half of the clean active cache as available too. The kernel's
// MemAvailable likewise assumes that a workload needs the other half.
[[nodiscard]] std::optional<AmountReading> memory_with_cache(const CgroupMemory& memory,
                                                             std::optional<std::int64_t> limit,
                                                             std::optional<WallTime> time);

}  // namespace berth::eviction
