// SPDX-License-Identifier: Apache-2.0

#include "agent/exec_turns.hpp"

#include <utility>

#include "base/notification.hpp"

namespace berth::agent {

struct ExecTurns::Waiting {
  explicit Waiting(boost::asio::any_io_executor executor) : bell(std::move(executor)) {}
  Notification bell;
  std::unique_ptr<Turn> turn{};
};

ExecTurns::ExecTurns(boost::asio::any_io_executor executor, std::size_t most)
    : executor_(std::move(executor)), most_(most) {}
ExecTurns::~ExecTurns() = default;

boost::asio::awaitable<std::unique_ptr<ExecTurns::Turn>> ExecTurns::take(std::string pod,
                                                                         Clock& clock,
                                                                         SteadyTime deadline) {
  Queue& queue = queues_[pod];
  if (queue.taken < most_) {
    ++queue.taken;
    co_return std::make_unique<Turn>(*this, std::move(pod));
  }
  const auto mine = std::make_shared<Waiting>(executor_);
  queue.waiting.push_back(mine);
  static_cast<void>(co_await mine->bell.wait_until(clock, deadline));
  co_return std::move(mine->turn);
}

// Waiters that are gone are skipped.
void ExecTurns::pass_on(const std::string& pod) {
  const auto found = queues_.find(pod);
  Queue& queue = found->second;
  --queue.taken;
  while (!queue.waiting.empty() && queue.taken < most_) {
    const auto next = queue.waiting.front().lock();
    queue.waiting.pop_front();
    if (!next) continue;
    ++queue.taken;
    next->turn = std::make_unique<Turn>(*this, pod);
    next->bell.notify();
  }
  if (queue.taken == 0) queues_.erase(found);
}

}  // namespace berth::agent
