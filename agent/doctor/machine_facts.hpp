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
  std::set<std::string> controllers{};  // "cpu", "memory", ...: those that can limit pods
};

struct FileSystemFacts {
  std::string path{};      // the folder, or its nearest parent that exists
  std::string device{};    // distinguishes file systems: "254:1"
  bool in_memory = false;  // tmpfs, ramfs: empty after a reboot
  eviction::FileSystemReading reading{};
};

// The file systems of berthd's and the runtime's folders.
struct DiskFacts {
  std::optional<FileSystemFacts> root{};    // nodefs
  std::optional<FileSystemFacts> images{};  // imagefs; absent if the runtime does not report it
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
  std::string refusal{};  // why the kernel does not report it; empty if it did, or was not asked
};

// The ports of a kubelet: its API, and its health for callers on this machine.
inline constexpr std::array<std::int32_t, 2> kKubeletPorts = {10250, 10248};

// Other programs that may run pods here. Processes in containers are left out: they are not this
// machine's own.
struct OtherAgents {
  std::vector<ProcessFacts> kubelets{};
  // Programs that may embed a kubelet: "k3s-server". Only the kubelet's ports show whether one
  // does.
  std::vector<ProcessFacts> embedders{};
  // Processes that listen on a kubelet's ports; pid 0 if unknown.
  std::map<std::int32_t, ProcessFacts> ports{};
};

struct MachineFacts {
  std::string kernel{};  // release: "6.1.0-21-amd64"
  CgroupFacts cgroups{};
  bool counts_stalls = false;  // PSI: /proc/pressure/memory can be read
  // Bits by number (capability.h): the capabilities that berthd has or, if another program looks,
  // those that the machine grants.
  std::optional<std::uint64_t> capabilities{};
  std::optional<std::uint64_t> granted{};  // what the machine grants to any process (its first one)
  ClockFacts clock{};
  std::optional<std::int64_t> swap{};  // bytes
  DiskFacts disks{};
  OtherAgents others{};
  bool has_system_bus = true;  // D-Bus, over which systemd makes slices
  // The process that listens on the HTTP port; unset if there is none, or none was looked for.
  std::optional<ProcessFacts> http_port_taken{};
};

}  // namespace berth::agent
