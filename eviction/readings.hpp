// SPDX-License-Identifier: Apache-2.0

// What was measured on the node and for its pods, at one moment.
//
// Plain values; measured elsewhere. What could not be measured is unset, never zero: thresholds on
// it are skipped. Values are bytes unless a name says otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::eviction {

struct MemoryReading {
  std::optional<std::int64_t> available{};    // limit minus working set
  std::optional<std::int64_t> working_set{};  // usage minus inactive file cache
  // Unset if only the other two were reported. Their sum is no substitute: racing counters can show
  // more in use than the limit allows.
  std::optional<std::int64_t> limit{};
  std::optional<WallTime> time{};

  bool operator==(const MemoryReading&) const = default;
};

struct FileSystemReading {
  std::optional<std::int64_t> available{};  // to unprivileged users
  std::optional<std::int64_t> capacity{};
  std::optional<std::int64_t> inodes_free{};
  std::optional<std::int64_t> inodes{};
  std::optional<WallTime> time{};

  bool operator==(const FileSystemReading&) const = default;
};

struct PidReading {
  std::optional<std::int64_t> running{};  // tasks of the whole machine
  std::optional<std::int64_t> max{};      // min(kernel.pid_max, kernel.threads-max)
  std::optional<WallTime> time{};

  bool operator==(const PidReading&) const = default;
};

// For berth's own signals: an amount out of `capacity`.
struct AmountReading {
  std::int64_t available = 0;
  std::int64_t capacity = 0;
  std::optional<WallTime> time{};

  bool operator==(const AmountReading&) const = default;
};

// Shares of the time in which tasks waited for memory or disks, in parts per million: 10 000 is 1
// %.
struct StallReading {
  std::int64_t some_avg10 = 0;
  std::int64_t some_avg60 = 0;
  std::int64_t some_avg300 = 0;
  std::int64_t full_avg10 = 0;
  std::int64_t full_avg60 = 0;
  std::int64_t full_avg300 = 0;
  std::optional<WallTime> time{};

  bool operator==(const StallReading&) const = default;
};

// Needed only by berth's own signals.
struct OwnReadings {
  std::optional<AmountReading> memory_with_cache{};              // the kernel's MemAvailable
  std::optional<AmountReading> allocatable_memory_with_cache{};  // of the pods' cgroup
  std::optional<AmountReading> swap{};
  std::optional<StallReading> memory_pressure{};
  std::optional<StallReading> allocatable_memory_pressure{};
  std::optional<StallReading> io_pressure{};
  std::optional<StallReading> allocatable_io_pressure{};

  bool operator==(const OwnReadings&) const = default;
};

struct NodeReadings {
  std::optional<MemoryReading> memory{};
  std::optional<MemoryReading> allocatable_memory{};  // of the pods' cgroup
  std::optional<FileSystemReading> node_fs{};
  std::optional<FileSystemReading> image_fs{};
  std::optional<FileSystemReading> container_fs{};
  std::optional<PidReading> pids{};
  OwnReadings own{};

  bool operator==(const NodeReadings&) const = default;
};

struct UsedSpace {
  std::optional<std::int64_t> bytes{};
  std::optional<std::int64_t> inodes{};

  bool operator==(const UsedSpace&) const = default;
};

struct UsedMemory {
  std::optional<std::int64_t> working_set{};

  bool operator==(const UsedMemory&) const = default;
};

struct ContainerReading {
  std::string name{};
  std::optional<std::int64_t> working_set{};
  std::optional<UsedSpace> rootfs{};  // the writable layer
  std::optional<UsedSpace> logs{};

  bool operator==(const ContainerReading&) const = default;
};

struct VolumeReading {
  std::string name{};
  UsedSpace used{};

  bool operator==(const VolumeReading&) const = default;
};

struct PodReading {
  std::optional<UsedMemory> memory{};  // of the pod's cgroup
  // Sum of writable layers, logs, ephemeral volumes and /etc/hosts.
  std::optional<std::int64_t> ephemeral_storage{};
  std::optional<std::int64_t> processes{};
  std::optional<StallReading> io_pressure{};   // of the pod's cgroup
  std::vector<ContainerReading> containers{};  // including init containers and sidecars
  std::vector<VolumeReading> volumes{};

  bool operator==(const PodReading&) const = default;
};

using PodReadings = std::map<std::string, PodReading>;  // by the pod's uid

struct Readings {
  NodeReadings node{};
  PodReadings pods{};

  bool operator==(const Readings&) const = default;
};

}  // namespace berth::eviction
