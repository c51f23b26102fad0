// A file system's reading from what statfs says of it.
//
// Pure. Available is what unprivileged users can have: reserved blocks count as used.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

namespace berth::eviction {

// Fields of struct statvfs.
struct StatFs {
  std::uint64_t f_frsize = 0;  // bytes of a block
  std::uint64_t f_blocks = 0;
  std::uint64_t f_bavail = 0;
  std::uint64_t f_files = 0;  // zero where inodes are not counted
  std::uint64_t f_ffree = 0;

  bool operator==(const StatFs&) const = default;
};

// Where a file system does not count inodes they are absent, and thresholds on them are passed
// over: zero free of zero is no pressure.
[[nodiscard]] FileSystemReading file_system_reading(const StatFs& stat,
                                                    std::optional<WallTime> time);

}  // namespace berth::eviction
