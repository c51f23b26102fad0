// SPDX-License-Identifier: Apache-2.0

// systemd-logind over the system bus: inhibitor locks, and the announcement of the machine's
// shutdown.
//
// sd-bus runs on the agent's loop: it has no thread of its own, and nothing here blocks. `run`
// connects, and reconnects whenever the bus is lost: after a second, then after twice as long each
// time up to five seconds (the kubelet's second, and patience with machines that have no bus). A
// lock is a descriptor, so it outlives the bus: it is released when the next one has been taken. A
// refused lock is requested again, and so are properties that logind does not answer for: with
// pauses of up to a minute. When logind itself restarts, everything is requested again at once.
//
// Reference: org.freedesktop.login1(5), sd-bus(3). Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "base/broadcast.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "systemd/login_manager.hpp"

struct sd_bus;

namespace berth::systemd {

// Opens a connection without waiting for it; an error if there is nothing to connect to.
using OpenBus = std::function<Result<sd_bus*>()>;
[[nodiscard]] Result<sd_bus*> open_system_bus();

class Logind final : public LoginManager {
 public:
  // `who` and `why`: what `systemd-inhibit --list` shows.
  struct Names {
    std::string who{};
    std::string why{};
  };
  Logind(boost::asio::any_io_executor executor, Clock& clock, Names names,
         OpenBus open = open_system_bus);
  ~Logind() override;

  // Runs until cancelled.
  [[nodiscard]] boost::asio::awaitable<void> run();

  [[nodiscard]] const LoginState& state() const override { return state_; }
  [[nodiscard]] boost::asio::awaitable<void> changed() override { return changed_.wait(); }
  [[nodiscard]] boost::asio::awaitable<void> ask(Nanoseconds limit) override;
  void delay() override;
  void let_go() override;

 private:
  class Connection;

  // A descriptor; closing it releases the lock.
  class Lock {
   public:
    Lock() = default;
    explicit Lock(int fd) : fd_(fd) {}
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { take(-1); }
    void take(int fd);
    [[nodiscard]] bool held() const { return fd_ >= 0; }

   private:
    int fd_ = -1;
  };

  boost::asio::awaitable<std::string> converse();
  void show(LoginState next);

  boost::asio::any_io_executor executor_;
  Clock& clock_;
  const Names names_;
  const OpenBus open_;
  Broadcast changed_;
  Broadcast answered_;
  LoginState state_{};
  bool wanted_ = false;  // whether the delay is wanted
  Lock lock_{};
  std::unique_ptr<Connection> connection_{};
};

}  // namespace berth::systemd
