// SPDX-License-Identifier: Apache-2.0

// What announces the machine's shutdown and lets services delay it: systemd-logind, as berthd sees
// it.
//
// The state is a level, not a stream: a waiter reads it first, then waits for its next change. The
// delay is requested once (`delay`), and then persists across a lost bus and a cancelled shutdown,
// until `let_go`. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>

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

class LoginManager {
 public:
  LoginManager() = default;
  LoginManager(const LoginManager&) = delete;
  LoginManager& operator=(const LoginManager&) = delete;
  virtual ~LoginManager() = default;

  [[nodiscard]] virtual const LoginState& state() const = 0;
  // Completes when the state has changed. Any number of waiters.
  [[nodiscard]] virtual boost::asio::awaitable<void> changed() = 0;

  // Reads its properties again, since it does not announce their changes: completes when they are
  // read or cannot be read, at the latest after `limit`.
  [[nodiscard]] virtual boost::asio::awaitable<void> ask(Nanoseconds limit) = 0;

  // From now on the machine's shutdown waits for us, up to the longest delay.
  virtual void delay() = 0;
  // The shutdown need not wait any more.
  virtual void let_go() = 0;
};

}  // namespace berth::systemd
