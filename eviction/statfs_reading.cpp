// SPDX-License-Identifier: Apache-2.0

#include "eviction/statfs_reading.hpp"

#include <limits>

namespace berth::eviction {
namespace {

constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

std::int64_t capped(std::uint64_t number) {
  return static_cast<std::int64_t>(number > kMost ? kMost : number);
}

std::int64_t bytes(std::uint64_t blocks, std::uint64_t size) {
  if (size != 0 && blocks > kMost / size) return capped(kMost);
  return capped(blocks * size);
}

}  // namespace

FileSystemReading file_system_reading(const StatFs& stat, std::optional<WallTime> time) {
  FileSystemReading out{.time = time};
  if (stat.f_blocks != 0 && stat.f_frsize != 0) {
    out.available = bytes(stat.f_bavail, stat.f_frsize);
    out.capacity = bytes(stat.f_blocks, stat.f_frsize);
  }
  if (stat.f_files != 0) {
    out.inodes_free = capped(stat.f_ffree);
    out.inodes = capped(stat.f_files);
  }
  return out;
}

}  // namespace berth::eviction
