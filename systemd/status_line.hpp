// SPDX-License-Identifier: Apache-2.0

// The line that `systemctl status berthd` shows: "12 pods running, 1 backing off, memory 34 % below
// its threshold". Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace berth::systemd {

struct ServiceStatus {
  std::vector<std::string> waits_for{};  // clauses; empty if nothing keeps berthd from its work
  std::size_t running = 0;               // pods whose containers all run
  std::size_t backing_off = 0;           // pods with a container that waits for its restart
  std::size_t starting = 0;              // pods on their way to one of the other states
  std::size_t ending = 0;
  std::size_t finished = 0;  // Succeeded or Failed
  // How much less memory is used than at the nearest eviction threshold, in percent of that use; 0
  // or less if the threshold is met. Unset if there is no threshold, or nothing was measured yet.
  std::optional<int> memory_below_threshold{};
  std::vector<std::string> pressure{};  // conditions of the node that hold: "DiskPressure"

  bool operator==(const ServiceStatus&) const = default;
};

[[nodiscard]] std::string status_line(const ServiceStatus& status);

// The line for a berthd that was stopped when it had `status`: its pods are still there.
[[nodiscard]] std::string stopped_line(const ServiceStatus& status);

}  // namespace berth::systemd
