// SPDX-License-Identifier: Apache-2.0

// Reads the machine's memory, swap, stalls and tasks.
//
// Takes some twelve small files of the kernel, 0.1 ms as measured; longer where version 2 has very
// many cgroups. What cannot be read is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agent/eviction/memory_cgroups.hpp"
#include "base/clock_types.hpp"
#include "base/descriptor.hpp"
#include "eviction/readings.hpp"

namespace berth::agent {

struct MachinePlaces {
  std::string proc = "/proc";
  // The cgroup of all pods, as cgroupfs_path names it: "/kubepods". Empty if the node has none.
  std::string pods_cgroup{};
};

struct MachineReadings {
  eviction::NodeReadings node{};  // all but the file systems
  // What the kernel counts as used, including inactive file cache: its own levels refer to this
  // value.
  std::optional<std::int64_t> root_usage{};
  std::optional<std::int64_t> pods_usage{};
};

// `now`: a moment before the call; readings are never newer than stated.
[[nodiscard]] MachineReadings read_machine(const MemoryCgroups& cgroups,
                                           const MachinePlaces& places, WallTime now);

// The node's memory in use at a glance (eviction::memory_in_use), bytes; absent if the file cannot
// be read, or lacks something. The file stays open: there is a glance every second or two, and
// opening costs as much as reading.
class MemoryGlance {
 public:
  explicit MemoryGlance(const std::string& proc);

  [[nodiscard]] std::optional<std::int64_t> in_use() const;

 private:
  Descriptor meminfo_;
};

// A file system by any path on it, and the device that distinguishes it from others. Blocks for as
// long as the file system does.
struct MeasuredFileSystem {
  eviction::FileSystemReading reading{};
  std::string device{};  // "254:1"
};
[[nodiscard]] std::optional<MeasuredFileSystem> measure_file_system(const std::string& path,
                                                                    WallTime now);

}  // namespace berth::agent
