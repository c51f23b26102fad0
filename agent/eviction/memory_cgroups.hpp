// SPDX-License-Identifier: Apache-2.0

// Memory, processes and stalls of control groups, as the kernel's files show them; version 1,
// version 2, or both side by side.
//
// Blocking: for the pool. Nothing is written. A missing cgroup has no readings; sizes are in bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock_types.hpp"
#include "eviction/cgroup_memory.hpp"

namespace berth::agent {

class MemoryCgroups {
 public:
  // `mount`: where control groups are mounted, /sys/fs/cgroup. On a hybrid machine the tree with
  // the memory controller counts.
  explicit MemoryCgroups(const std::string& mount);

  // False if no tree with a memory controller can be seen from here.
  [[nodiscard]] bool visible() const { return !tree_.empty(); }
  [[nodiscard]] eviction::CgroupVersion version() const { return version_; }

  // `path`: as cgroupfs_path names it; "/" or "": the root.
  [[nodiscard]] std::string directory(const std::string& path) const;
  // Without a limit for the root: its limit is the machine's memory.
  [[nodiscard]] eviction::CgroupMemory memory(const std::string& path) const;
  // Without the limit, which eviction does not need of a pod.
  [[nodiscard]] std::optional<std::int64_t> working_set(const std::string& path) const;
  // Working sets of the cgroups directly below: containers, by their ids.
  [[nodiscard]] std::map<std::string, std::int64_t> working_sets_below(
      const std::string& path) const;
  // Processes (not threads) in the cgroup and all below it.
  [[nodiscard]] std::optional<std::int64_t> processes(const std::string& path) const;
  // How long its tasks waited for `resource`: "memory", "io". Only version 2 counts that per
  // cgroup; for the root it is read from the kernel's /proc.
  [[nodiscard]] std::optional<eviction::StallReading> stall(const std::string& path,
                                                            std::string_view resource,
                                                            std::optional<WallTime> now) const;

 private:
  [[nodiscard]] eviction::CgroupMemory parse(const std::string& path, bool with_limit) const;

  eviction::CgroupVersion version_ = eviction::CgroupVersion::kV2;
  std::string tree_{};
};

}  // namespace berth::agent
