// SPDX-License-Identifier: Apache-2.0

// Limits how many commands are being started in a pod at once.
//
// Every pod has a shim of its own, and containerd's shims start commands one after another: with 24
// requests at once one started 26 a second, with 32 three, and with 64 hardly any; for minutes
// afterwards it answered no caller, including probes. (containerd 1.6.20, measured with `echo`.) So
// only a few are started at once, in order of arrival; the number of running ones does not matter.
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
    std::size_t taken = 0;
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
    ~Turn() { turns_.pass_on(pod_); }

   private:
    ExecTurns& turns_;
    std::string pod_;
  };

  // `pod`: its uid. Null if the deadline passed first.
  [[nodiscard]] boost::asio::awaitable<std::unique_ptr<Turn>> take(std::string pod, Clock& clock,
                                                                   SteadyTime deadline);

 private:
  void pass_on(const std::string& pod);

  boost::asio::any_io_executor executor_;
  std::size_t most_;
  std::map<std::string, Queue> queues_{};
};

}  // namespace berth::agent
