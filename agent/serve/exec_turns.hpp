// SPDX-License-Identifier: Apache-2.0

// Limits how many commands are being started in a pod at once.
//
// Every pod has a shim of its own, and containerd's shims start commands one after another: with 24
// requests at once one started 26 a second, with 32 three, and with 64 hardly any; for minutes
// afterwards it answered no caller, including probes. (containerd 1.6.20, measured with `echo`.) So
// only a few are started at once, in order of arrival; the number of running ones does not matter.
//
// The runtime does not report that a command has started; its first output shows it. A command that
// prints nothing passes its turn on after a while, but on a slow machine it may still be starting.
// A pod may have twice as many such silent commands again, so a shim is given 24 at most.
// Probes have their own limit, of 16 on the whole node. Loop thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"

namespace berth::agent {

class ExecTurns {
  struct Waiting;
  struct Queue {
    std::size_t starting = 0;
    std::size_t silent = 0;
    std::deque<std::weak_ptr<Waiting>> waiting{};
  };

 public:
  explicit ExecTurns(boost::asio::any_io_executor executor, std::size_t most = 8);
  ExecTurns(const ExecTurns&) = delete;
  ExecTurns& operator=(const ExecTurns&) = delete;
  ~ExecTurns();

  // Passes the turn on when it is destroyed.
  class Turn {
   public:
    Turn(ExecTurns& turns, std::string pod) : turns_(turns), pod_(std::move(pod)) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();

    // Passes the turn on, but the command may still be starting. Call once.
    void count_as_silent();

   private:
    ExecTurns& turns_;
    std::string pod_;
    bool silent_ = false;
  };

  // `pod`: its uid. Null if the deadline passed first.
  [[nodiscard]] boost::asio::awaitable<std::unique_ptr<Turn>> take(std::string pod, Clock& clock,
                                                                   SteadyTime deadline);

 private:
  [[nodiscard]] bool has_room(const Queue& queue) const;
  void pass_on(std::map<std::string, Queue>::iterator queue);

  boost::asio::any_io_executor executor_;
  std::size_t most_;  // commands of a pod that are starting
  std::map<std::string, Queue> queues_{};
};

}  // namespace berth::agent
