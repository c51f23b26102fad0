// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/pods/next_turn.hpp"

#include <utility>

namespace berth::lifecycle {

NextTurn::NextTurn(TaskGroup& tasks, std::string name, std::function<void()> work)
    : tasks_(tasks), name_(std::move(name)), work_(std::move(work)) {}

void NextTurn::request() {
  if (requested_) return;
  requested_ = true;
  tasks_.spawn(name_, run());
}

boost::asio::awaitable<void> NextTurn::run() {
  requested_ = false;
  work_();
  co_return;
}

}  // namespace berth::lifecycle
