// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/reconcile_schedule.hpp"

#include <utility>

namespace berth::lifecycle {

ReconcileSchedule::ReconcileSchedule(TaskGroup& tasks, Clock& clock, std::function<void()> pass)
    : tasks_(tasks),
      clock_(clock),
      pass_(std::move(pass)),
      next_turn_(tasks, "reconcile", [this] { now(); }) {}

void ReconcileSchedule::now() {
  if (state_ != State::kIdle) {
    state_ = State::kInPassAndAskedAgain;
    return;
  }
  do {
    state_ = State::kInPass;
    pass_();
  } while (state_ == State::kInPassAndAskedAgain);
  state_ = State::kIdle;
}

void ReconcileSchedule::at(SteadyTime time, std::string task) {
  if (due_ && *due_ <= time) return;
  due_ = time;
  tasks_.spawn(std::move(task), wait_until(time));
}

boost::asio::awaitable<void> ReconcileSchedule::wait_until(SteadyTime time) {
  co_await clock_.sleep_until(time);
  if (due_ != time) co_return;  // an earlier time was requested since
  due_.reset();
  now();
}

}  // namespace berth::lifecycle
