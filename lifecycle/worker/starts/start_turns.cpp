// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/start_turns.hpp"

#include <utility>

namespace berth::lifecycle {

StartTurns::StartTurns(boost::asio::any_io_executor executor, Clock& clock)
    : executor_(std::move(executor)), clock_(clock) {}

StartTurns::Place::Place(StartTurns& turns)
    : turns_(turns),
      patient_until_(turns.clock_.steady_now() + kPatience),
      bell_(turns.bells_.emplace(turns.bells_.end(), turns.executor_)) {}

boost::asio::awaitable<void> StartTurns::Place::until_turn() {
  while (held_ && bell_ != turns_.bells_.begin()) {
    const bool rung = co_await bell_->wait_until(turns_.clock_, patient_until_);
    if (!rung) co_return;
  }
}

void StartTurns::Place::give_back() {
  if (!std::exchange(held_, false)) return;
  turns_.bells_.erase(bell_);
  if (!turns_.bells_.empty()) turns_.bells_.front().notify();
}

}  // namespace berth::lifecycle
