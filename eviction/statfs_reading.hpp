// SPDX-License-Identifier: Apache-2.0

// Converts statfs's result to a file system reading.
//
// Pure. Available is what unprivileged users can use: reserved blocks count as used.
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
  std::uint64_t f_files = 0;  // zero if inodes are not counted
  std::uint64_t f_ffree = 0;

  bool operator==(const StatFs&) const = default;
};

// If a file system does not count inodes, they are unset and thresholds on them are skipped: zero
// free of zero is no pressure.
[[nodiscard]] FileSystemReading file_system_reading(const StatFs& stat,
                                                    std::optional<WallTime> time);

}  // namespace berth::eviction
