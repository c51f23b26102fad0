// SPDX-License-Identifier: Apache-2.0

// Runs one operation with a deadline.
//
// This is the only race in berth. The operation must honour cancellation and report failure as a
// value: when the deadline cancels it, it is still awaited, but its result or exception is dropped.
// This is the only spawn outside TaskGroup: the coroutine that awaits the race owns, cancels and
// awaits the operation.
//
// An operation that ends in time costs a coroutine and an alarm, and no exception.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/suspend.hpp"

namespace berth {
namespace detail {

template <class T>
struct Race {
  boost::asio::cancellation_signal stop{};
  bool over = false;
  bool late = false;
  std::exception_ptr failure{};
  std::optional<Result<T>> outcome{};

  // The operation is awaited after cancellation as well.
  void cancel() {
    if (!over) stop.emit(boost::asio::cancellation_type::terminal);
  }
};

// The operation's coroutine owns the waiter, and the waiter's coroutine owns the race, so they are
// destroyed in this order.
template <class T>
void start_race(const std::shared_ptr<Race<T>>& race, const boost::asio::any_io_executor& loop,
                boost::asio::awaitable<Result<T>> operation, Waiter waiter) {
  on_cancel(waiter, [weak = std::weak_ptr(race)] {
    if (const auto held = weak.lock()) held->cancel();
  });
  auto ended = [race, loop, waiter = std::move(waiter)](std::exception_ptr failure,
                                                        Result<T> outcome) mutable {
    race->over = true;
    race->failure = std::move(failure);
    race->outcome = std::move(outcome);
    // Not destroyed at once: the operation's coroutine is still on the stack and uses the signal.
    resume(loop, std::move(waiter));
  };
  boost::asio::co_spawn(loop, std::move(operation),
                        boost::asio::bind_cancellation_slot(race->stop.slot(), std::move(ended)));
}

}  // namespace detail

// The operation's result, or kTimeout with `what` in the message if the deadline comes first.
template <class T>
boost::asio::awaitable<Result<T>> with_deadline(Clock& clock, SteadyTime deadline, std::string what,
                                                boost::asio::awaitable<Result<T>> operation) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto race = std::make_shared<detail::Race<T>>();
  Alarm alarm;
  auto start = [&](Waiter waiter) {
    detail::start_race(race, loop, std::move(operation), std::move(waiter));
    alarm = clock.call_at(loop, deadline, [weak = std::weak_ptr(race)] {
      const auto held = weak.lock();
      if (!held || held->over) return;
      held->late = true;
      held->cancel();
    });
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
  if (race->late) co_return fail(ErrorCode::kTimeout, what + ": no answer in time");
  if (race->failure) std::rethrow_exception(race->failure);
  co_return std::move(*race->outcome);
}

}  // namespace berth
