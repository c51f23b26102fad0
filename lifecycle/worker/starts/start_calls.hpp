// SPDX-License-Identifier: Apache-2.0

// Tracks the runtime calls that create or start something, so that berthd can exit between them.
//
// A runtime rolls back a call whose caller disconnects: a container that was just being started is
// left behind as failed, which costs a restart or, with restartPolicy Never, the pod. Therefore
// berthd lets these calls finish before it cancels its workers. `begin` permits one call, for as
// long as the returned value lives. Once `finish` has been called, `begin` permits none: the caller
// waits until it is cancelled.
//
// Loop thread only; it outlives its calls.
#pragma once

#include <cstddef>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/notification.hpp"
#include "base/result.hpp"

namespace berth::lifecycle {

// Whether the call itself was refused: then nothing was done, and there is nothing to look for.
[[nodiscard]] bool outcome_known(ErrorCode code);

class StartCalls {
 public:
  explicit StartCalls(boost::asio::any_io_executor executor);

  class Call {
   public:
    explicit Call(StartCalls& calls) : calls_(&calls) { ++calls_->under_way_; }
    Call(Call&& other) noexcept : calls_(std::exchange(other.calls_, nullptr)) {}
    Call(const Call&) = delete;
    Call& operator=(Call&&) = delete;
    ~Call() {
      if (calls_ != nullptr) calls_->ended();
    }

   private:
    StartCalls* calls_;
  };

  [[nodiscard]] boost::asio::awaitable<Call> begin();

  // Completes when no call is under way, or at `limit`: true if none is. Called once.
  [[nodiscard]] boost::asio::awaitable<bool> finish(Clock& clock, SteadyTime limit);

 private:
  void ended();

  boost::asio::any_io_executor executor_;
  std::size_t under_way_ = 0;
  bool finishing_ = false;
  Notification none_left_;
};

}  // namespace berth::lifecycle
