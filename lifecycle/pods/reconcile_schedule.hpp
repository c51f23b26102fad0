// SPDX-License-Identifier: Apache-2.0

// When the desired pods are reconciled with the existing ones: at once, in the loop's next turn, or
// at a given time.
//
// A pass that is requested from within a pass follows it. The task group owns the coroutines: once
// it stops, no pass begins in a later turn. It is joined before this object is destroyed. Loop
// thread only.
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
  // Requests a pass at `time`, unless one at an earlier time was requested. `task`: the name of the
  // waiting task, as listed.
  void at(SteadyTime time, std::string task);

 private:
  enum class State : std::uint8_t { kIdle, kInPass, kInPassAndAskedAgain };

  [[nodiscard]] boost::asio::awaitable<void> wait_until(SteadyTime time);

  TaskGroup& tasks_;
  Clock& clock_;
  const std::function<void()> pass_;
  NextTurn next_turn_;
  State state_ = State::kIdle;
  std::optional<SteadyTime> due_{};  // the earliest requested time
};

}  // namespace berth::lifecycle
