// SPDX-License-Identifier: Apache-2.0

#include "base/notification.hpp"

#include <boost/asio/error.hpp>

#include "base/assertion.hpp"
#include "base/suspend.hpp"

namespace berth {

struct Notification::Sleeper {
  Waiter waiter;
};

Notification::Notification(boost::asio::any_io_executor executor)
    : executor_(std::move(executor)) {}

Notification::~Notification() = default;

void Notification::notify() {
  set_ = true;
  end_wait({});
}

void Notification::end_wait(boost::system::error_code outcome) {
  if (!sleeper_) return;
  auto sleeper = std::move(sleeper_);
  resume(executor_, std::move(sleeper->waiter), outcome);
}

boost::asio::awaitable<void> Notification::wait_set() {
  if (set_) co_return;
  auto start = [this](Waiter waiter) {
    assert_that(!sleeper_, "one waiter at a time");
    on_cancel(waiter, [this] { end_wait(boost::asio::error::operation_aborted); });
    sleeper_ = std::make_unique<Sleeper>();
    sleeper_->waiter = std::move(waiter);
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
}

boost::asio::awaitable<void> Notification::wait() {
  co_await wait_set();
  set_ = false;
}

boost::asio::awaitable<bool> Notification::wait_until(Clock& clock,
                                                      std::optional<SteadyTime> deadline) {
  if (!deadline) {
    co_await wait();
    co_return true;
  }
  if (!set_) {
    const Alarm late = clock.call_at(executor_, *deadline, [this] { end_wait({}); });
    co_await wait_set();
  }
  const bool notified = set_;  // true as well if both happened in the same turn
  set_ = false;
  co_return notified;
}

}  // namespace berth
