// SPDX-License-Identifier: Apache-2.0

// Reads the facts about a machine from the kernel's files, for `berthctl doctor` and `berthd
// --check`.
//
// Blocking: for the pool. Reads a few small files, and one for each process of the machine; changes
// nothing.
#pragma once

#include <cstdint>
#include <string>

#include "agent/doctor/machine_facts.hpp"

struct timex;

namespace berth::agent {

struct MachineQuestion {
  std::string proc = "/proc";
  std::string cgroup_mount = "/sys/fs/cgroup";
  std::string root_folder = "/var/lib/berth";
  std::string log_folder = "/var/log/pods";
  std::string system_bus = "/run/dbus/system_bus_socket";
  std::string image_folder{};          // the runtime's; empty if it reports none
  std::int32_t http_port = 0;          // find the process that listens on it; 0 if none
  bool as_berthd = true;               // the caller is berthd, or runs as it would
  int (*ask_clock)(timex*) = nullptr;  // null: adjtimex(2)
};

[[nodiscard]] MachineFacts look_at_machine(const MachineQuestion& question);

}  // namespace berth::agent
