// SPDX-License-Identifier: Apache-2.0

// The login manager of the fake machine: announces its shutdown, and waits for those that delay it.
//
// What happens to the machine, or to the bus, is set from outside. Loop thread only.
#pragma once

#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>

#include "base/broadcast.hpp"
#include "systemd/login_manager.hpp"

namespace berth::simulation {

class SimulatedLoginManager final : public systemd::LoginManager {
 public:
  explicit SimulatedLoginManager(boost::asio::any_io_executor loop) : changed_(std::move(loop)) {}

  // It is connected, and grants that much delay.
  void answers(Nanoseconds longest_delay) {
    state_.connected = true;
    state_.error.clear();
    state_.longest_delay = longest_delay;
    give_lock();
    changed_.ring();
  }
  void falls_silent(std::string why) {
    state_.connected = false;
    state_.error = std::move(why);
    changed_.ring();
  }
  // It grants no lock from now on; with an empty `why` it does, also to a berthd that waits for
  // one.
  void refuses(std::string why) {
    refusal_ = std::move(why);
    give_lock();
    changed_.ring();
  }
  // The machine is to be shut down, or that is cancelled.
  void announces(bool shutting_down) {
    state_.shutting_down = shutting_down;
    changed_.ring();
  }
  // The end of berthd releases its lock.
  void berthd_is_gone() {
    wanted_ = false;
    state_.lock = {};
  }

  [[nodiscard]] const systemd::LoginState& state() const override { return state_; }
  [[nodiscard]] boost::asio::awaitable<void> changed() override { return changed_.wait(); }
  [[nodiscard]] boost::asio::awaitable<void> ask(Nanoseconds /*limit*/) override { co_return; }
  void delay() override {
    wanted_ = true;
    give_lock();
    changed_.ring();
  }
  void let_go() override {
    wanted_ = false;
    state_.lock = {};
    changed_.ring();
  }

 private:
  // No lock is granted while the machine shuts down.
  void give_lock() {
    if (wanted_ && state_.connected && !state_.shutting_down)
      state_.lock =
          refusal_.empty() ? systemd::DelayLock::held() : systemd::DelayLock::refused(refusal_);
  }

  Broadcast changed_;
  systemd::LoginState state_{};
  bool wanted_ = false;
  std::string refusal_{};  // empty if it grants locks
};

}  // namespace berth::simulation
