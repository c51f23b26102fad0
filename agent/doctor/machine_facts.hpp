// SPDX-License-Identifier: Apache-2.0

// The machine, as far as pods depend on it: kernel, control groups, capabilities, clock, swap, file
// systems, and who else claims it. Plain values; what could not be read is absent, never zero.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock_types.hpp"
#include "eviction/readings.hpp"

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
  std::string path{};      // the folder, or its nearest parent that exists
  std::string device{};    // tells file systems apart: "254:1"
  bool in_memory = false;  // tmpfs, ramfs: empty after a reboot
  eviction::FileSystemReading reading{};
};

// Those of the folders of berthd and of the runtime.
struct DiskFacts {
  std::optional<FileSystemFacts> root{};    // nodefs
  std::optional<FileSystemFacts> images{};  // imagefs; absent if the runtime does not say where
  std::optional<FileSystemFacts> logs{};    // of containers
};

struct ProcessFacts {
  std::int64_t pid = 0;
  std::string name{};  // of the program: "kubelet"

  bool operator==(const ProcessFacts&) const = default;
};

struct ClockFacts {
  WallTime now{};
  std::optional<bool> synchronised{};
  std::string refusal{};  // why the kernel does not tell; empty: it did, or was not asked
};

// Those of a kubelet: its API, and its health for the machine alone.
inline constexpr std::array<std::int32_t, 2> kKubeletPorts = {10250, 10248};

// Who else may run pods here. Processes in containers are left out: those are not this machine's.
struct OtherAgents {
  std::vector<ProcessFacts> kubelets{};
  // Programs that a kubelet may be part of: "k3s-server". Only a port tells whether it is.
  std::vector<ProcessFacts> embedders{};
  // Who listens on a kubelet's port; pid 0: nobody knows.
  std::map<std::int32_t, ProcessFacts> ports{};
};

struct MachineFacts {
  std::string kernel{};  // release: "6.1.0-21-amd64"
  CgroupFacts cgroups{};
  bool counts_stalls = false;  // PSI: /proc/pressure/memory can be read
  // Bits by number (capability.h): what berthd has or, seen from elsewhere, what the machine
  // grants.
  std::optional<std::uint64_t> capabilities{};
  std::optional<std::uint64_t> granted{};  // what the machine grants to any process (its first one)
  ClockFacts clock{};
  std::optional<std::int64_t> swap{};  // bytes
  DiskFacts disks{};
  OtherAgents others{};
  bool has_system_bus = true;  // D-Bus, over which systemd makes slices
  // Who listens on the HTTP port; unset: nobody, or nobody was looked for.
  std::optional<ProcessFacts> http_port_taken{};
};

}  // namespace berth::agent
