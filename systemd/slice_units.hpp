// SPDX-License-Identifier: Apache-2.0

// Slices of the service manager, over D-Bus: org.freedesktop.systemd1 (systemd's interface of
// units).
//
// Blocking, any thread: each call opens its own connection, so a restart of the bus does no harm,
// and takes some milliseconds. Calls that are not answered fail after kAnswerWithin. The value of a
// success has no meaning. Errors: kUnavailable (no bus, no service manager), kTimeout, else
// kUnknown with systemd's message.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace berth::systemd {

// The time that systemctl waits.
inline constexpr std::chrono::seconds kAnswerWithin{90};

struct UnitProperty {
  std::string name{};  // "MemoryMax"
  std::uint64_t value = 0;
};

// Starts a transient slice with accounting of CPU, memory, IO and tasks, and waits until it is
// active. It has no default dependencies: with them, a shutdown of the machine would stop it before
// its pods. If the slice is already active, sets its properties.
[[nodiscard]] Result<bool> start_slice(const std::string& slice, const std::string& description,
                                       const std::vector<UnitProperty>& properties);

// The properties hold until the next boot.
[[nodiscard]] Result<bool> set_unit_properties(const std::string& unit,
                                               const std::vector<UnitProperty>& properties);

// Stops a unit with everything below it, and waits until it is stopped. Succeeds if there is no
// such unit.
[[nodiscard]] Result<bool> stop_unit(const std::string& unit);

// Whether systemd runs this machine (sd_booted(3)).
[[nodiscard]] bool is_service_manager();

}  // namespace berth::systemd
