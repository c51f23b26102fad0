#include "base/notification.hpp"

#include <cassert>

#include <boost/asio/error.hpp>

#include "base/deadline.hpp"
#include "base/suspend.hpp"

namespace berth {
namespace {

// A wait with a deadline is a race, and what races reports a value.
boost::asio::awaitable<Result<bool>> as_result(boost::asio::awaitable<void> wait) {
  co_await std::move(wait);
  co_return true;
}

}  // namespace

struct Notification::Sleeper {
  Waiter waiter;
};

Notification::Notification(boost::asio::any_io_executor executor)
    : executor_(std::move(executor)) {}

Notification::~Notification() = default;

void Notification::notify() {
  set_ = true;
  if (!sleeper_) return;
  auto sleeper = std::move(sleeper_);
  resume(executor_, std::move(sleeper->waiter));
}

void Notification::cancel() {
  if (!sleeper_) return;
  auto sleeper = std::move(sleeper_);
  resume(executor_, std::move(sleeper->waiter), boost::asio::error::operation_aborted);
}

boost::asio::awaitable<void> Notification::wait_set() {
  if (set_) co_return;
  auto start = [this](Waiter waiter) {
    assert(!sleeper_ && "one waiter at a time");
    on_cancel(waiter, [this] { cancel(); });
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
    auto race = with_deadline(clock, *deadline, std::string(), as_result(wait_set()));
    auto outcome = co_await std::move(race);
    (void)outcome;  // the flag itself tells, also when both came in the same turn
  }
  const bool notified = set_;
  set_ = false;
  co_return notified;
}

}  // namespace berth
