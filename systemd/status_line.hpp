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
  std::vector<std::string> waits_for{};  // clauses; empty: nothing keeps berthd from its work
  std::size_t running = 0;               // pods of which every container runs
  std::size_t backing_off = 0;           // pods with a container that waits for its next start
  std::size_t starting = 0;              // pods that are on their way to one of the others
  std::size_t ending = 0;
  std::size_t finished = 0;  // Succeeded or Failed
  // How much less memory is used than at the nearest eviction threshold, in percent of that use; 0
  // or less: the threshold is met. None: there is no threshold, or nothing measured yet.
  std::optional<int> memory_below_threshold{};
  std::vector<std::string> pressure{};  // conditions of the node that hold: "DiskPressure"

  bool operator==(const ServiceStatus&) const = default;
};

[[nodiscard]] std::string status_line(const ServiceStatus& status);

// What it shows of a berthd that was stopped, after `status`: its pods are still there.
[[nodiscard]] std::string stopped_line(const ServiceStatus& status);

}  // namespace berth::systemd
