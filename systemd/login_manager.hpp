// SPDX-License-Identifier: Apache-2.0

// What announces the machine's shutdown and lets services delay it: systemd-logind, as berthd sees
// it.
//
// The state is a level, not a stream: a waiter reads it first, then waits for its next change. The
// delay is requested once (`delay`), and then persists across a lost bus and a cancelled shutdown,
// until `let_go`. Loop thread only.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "base/clock_types.hpp"
#include "systemd/login_state.hpp"

namespace berth::systemd {

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
