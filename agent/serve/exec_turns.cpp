// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/exec_turns.hpp"

#include <utility>

#include "base/notification.hpp"

namespace berth::agent {
namespace {

// How many silent commands a pod may have for each one that may be starting.
constexpr std::size_t kSilentForEach = 2;

}  // namespace

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
  if (has_room(queue)) {
    ++queue.starting;
    co_return std::make_unique<Turn>(*this, std::move(pod));
  }
  const auto mine = std::make_shared<Waiting>(executor_);
  queue.waiting.push_back(mine);
  static_cast<void>(co_await mine->bell.wait_until(clock, deadline));
  co_return std::move(mine->turn);
}

ExecTurns::Turn::~Turn() {
  const auto queue = turns_.queues_.find(pod_);
  --(silent_ ? queue->second.silent : queue->second.starting);
  turns_.pass_on(queue);
}

void ExecTurns::Turn::count_as_silent() {
  silent_ = true;
  const auto queue = turns_.queues_.find(pod_);
  --queue->second.starting;
  ++queue->second.silent;
  turns_.pass_on(queue);
}

bool ExecTurns::has_room(const Queue& queue) const {
  return queue.starting < most_ && queue.starting + queue.silent < most_ + most_ * kSilentForEach;
}

// Waiters that are gone are skipped.
void ExecTurns::pass_on(std::map<std::string, Queue>::iterator found) {
  Queue& queue = found->second;
  while (!queue.waiting.empty() && has_room(queue)) {
    const auto next = queue.waiting.front().lock();
    queue.waiting.pop_front();
    if (!next) continue;
    ++queue.starting;
    next->turn = std::make_unique<Turn>(*this, found->first);
    next->bell.notify();
  }
  if (queue.starting + queue.silent == 0) queues_.erase(found);
}

}  // namespace berth::agent
