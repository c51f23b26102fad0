// SPDX-License-Identifier: Apache-2.0

// What systemd-logind has answered about the machine's shutdown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/clock_types.hpp"

namespace berth::systemd {

// Our inhibitor lock, which the machine's shutdown waits for. A refusal stands until a lock is
// granted, or is no longer wanted.
struct DelayLock {
  enum class State : std::uint8_t {
    kNone,     // not wanted, or the request is not answered yet
    kHeld,     // granted, and not released
    kRefused,  // by the last answer; it is requested again and again
  };
  State state = State::kNone;
  std::string refusal{};  // why, as a clause

  [[nodiscard]] static DelayLock held() { return {.state = State::kHeld}; }
  [[nodiscard]] static DelayLock refused(std::string why) {
    return {.state = State::kRefused, .refusal = std::move(why)};
  }
  bool operator==(const DelayLock&) const = default;
};

struct LoginState {
  bool connected = false;  // logind has answered, and the bus is up
  std::string error{};     // why not connected; empty as long as that is not known
  std::optional<Nanoseconds> longest_delay{};  // InhibitDelayMaxUSec: the longest delay it grants
  bool shutting_down = false;  // from the signal PrepareForShutdown, and its property
  DelayLock lock{};
  [[nodiscard]] bool delayed() const { return lock.state == DelayLock::State::kHeld; }
  bool operator==(const LoginState&) const = default;
};

}  // namespace berth::systemd
