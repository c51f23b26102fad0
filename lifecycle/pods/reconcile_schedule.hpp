// SPDX-License-Identifier: Apache-2.0

// When the wished pods are compared with those that there are: at once, in the loop's next turn, or
// at a time.
//
// A pass that is asked for from within a pass follows it. The task group owns the coroutines: once
// it stops, no pass begins in a later turn. It is joined before this is destroyed. Loop thread
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/clock.hpp"
#include "base/task_group.hpp"
#include "lifecycle/pods/next_turn.hpp"

namespace berth::lifecycle {

class ReconcileSchedule {
 public:
  ReconcileSchedule(TaskGroup& tasks, Clock& clock, std::function<void()> pass);
  ReconcileSchedule(const ReconcileSchedule&) = delete;
  ReconcileSchedule& operator=(const ReconcileSchedule&) = delete;
  ~ReconcileSchedule() = default;

  void now();
  void soon() { next_turn_.request(); }
  // Unless an earlier time was asked for. `task`: what waits for it, as listed.
  void at(SteadyTime time, std::string task);

 private:
  enum class State : std::uint8_t { kIdle, kInPass, kInPassAndAskedAgain };

  [[nodiscard]] boost::asio::awaitable<void> wait_until(SteadyTime time);

  TaskGroup& tasks_;
  Clock& clock_;
  const std::function<void()> pass_;
  NextTurn next_turn_;
  State state_ = State::kIdle;
  std::optional<SteadyTime> due_{};  // the earliest time that was asked for
};

}  // namespace berth::lifecycle
