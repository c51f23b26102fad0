// SPDX-License-Identifier: Apache-2.0

// The machine, as far as pods depend on it: kernel, control groups, capabilities, clock, swap, file
// systems, and who else claims it. Plain values; what could not be read is absent, never zero.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock_types.hpp"

namespace berth::agent {

enum class CgroupLayout : std::uint8_t {
  kNone,  // no control groups are mounted
  kV1,    // one tree for each controller, alone or beside a version 2 tree without controllers
  kV2,
};

struct CgroupFacts {
  CgroupLayout layout = CgroupLayout::kNone;
  std::string mount{};                  // "/sys/fs/cgroup"
  std::set<std::string> controllers{};  // "cpu", "memory", ...: those that pods can be limited by
};

struct FileSystemFacts {
  std::string path{};          // a folder of berthd, or its nearest parent that exists
  bool in_memory = false;      // tmpfs, ramfs: empty after a reboot
  std::int64_t available = 0;  // bytes that are left for anyone but root
  std::int64_t capacity = 0;   // bytes
};

struct ProcessFacts {
  std::int64_t pid = 0;
  std::string name{};  // of the program: "kubelet"

  bool operator==(const ProcessFacts&) const = default;
};

struct MachineFacts {
  std::string kernel{};  // release: "6.1.0-21-amd64"
  CgroupFacts cgroups{};
  bool counts_stalls = false;  // PSI: /proc/pressure/memory can be read
  // Bits by number (capability.h): what berthd has or, seen from elsewhere, what the machine
  // grants.
  std::optional<std::uint64_t> capabilities{};
  std::optional<std::uint64_t> granted{};  // what the machine grants to any process (its first one)
  WallTime now{};
  std::optional<bool> clock_synchronised{};
  std::optional<std::int64_t> swap{};  // bytes
  std::optional<FileSystemFacts> root_folder{};
  std::vector<ProcessFacts> kubelets{};
  // Who listens on the HTTP port; unset: nobody, or nobody was looked for.
  std::optional<ProcessFacts> http_port_taken{};
};

}  // namespace berth::agent
