// SPDX-License-Identifier: Apache-2.0

// Who announces the machine's end and lets services delay it: systemd-logind, as berthd sees it.
//
// The state is a level, not a stream: whoever waits looks at it first, then waits for its next
// change. The delay is asked for once (`delay`), and then holds over a lost bus and over a shutdown
// that was called off, until `let_go`. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"

namespace berth::systemd {

// Our inhibitor lock, which is what the machine's end waits for. A refusal stands until a lock is
// granted, or is not wanted any more.
struct DelayLock {
  enum class State : std::uint8_t {
    kNone,     // not wanted, or not answered yet
    kHeld,     // granted, and not given back
    kRefused,  // by the last answer; it is asked for again and again
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
  bool connected = false;                      // it has answered, and the bus is there
  std::string error{};                         // why not; empty as long as it is not known
  std::optional<Nanoseconds> longest_delay{};  // InhibitDelayMaxUSec: what it grants anybody
  bool shutting_down = false;                  // PrepareForShutdown's, and its property's
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

  // Its properties may have changed, of which it tells nobody: completes when they are known anew
  // or are not told, at the latest after `limit`.
  [[nodiscard]] virtual boost::asio::awaitable<void> ask(Nanoseconds limit) = 0;

  // The machine's end waits for us from now on, for as long as it waits for anybody.
  virtual void delay() = 0;
  // It need not wait any more.
  virtual void let_go() = 0;
};

}  // namespace berth::systemd
