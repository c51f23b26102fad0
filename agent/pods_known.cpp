#include "agent/pods_known.hpp"

namespace berth::agent {

void PodsKnown::begin() {
  known_ = true;
  for (const auto& waiter : std::exchange(waiters_, {}))
    if (const auto waits = waiter.lock()) waits->notify();
}

boost::asio::awaitable<bool> PodsKnown::by(Clock& clock, std::optional<SteadyTime> deadline) {
  if (known_) co_return true;
  const auto bell = std::make_shared<Notification>(executor_);
  std::erase_if(waiters_, [](const auto& waiter) { return waiter.expired(); });
  waiters_.push_back(bell);
  static_cast<void>(co_await bell->wait_until(clock, deadline));
  co_return known_;
}

}  // namespace berth::agent
