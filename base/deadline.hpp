// One operation against the clock.
//
// The only place that races two awaitables. The operation must honour cancellation, and must
// report its failure as a value: the loser of a race is cancelled and awaited, and what it threw
// would be lost.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <variant>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/multiple_exceptions.hpp>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace berth {

// The operation's result, or kTimeout with `what` in the message when the deadline comes first.
template <class T>
boost::asio::awaitable<Result<T>> with_deadline(Clock& clock, SteadyTime deadline, std::string what,
                                                boost::asio::awaitable<Result<T>> operation) {
  using boost::asio::experimental::awaitable_operators::operator||;
  auto race = std::move(operation) || clock.sleep_until(deadline);
  try {
    auto outcome = co_await std::move(race);
    if (outcome.index() == 0) co_return std::move(std::get<0>(outcome));
  } catch (const boost::asio::multiple_exceptions& both) {
    // We were cancelled: say so as everybody else does, with the operation's own exception.
    std::rethrow_exception(both.first_exception());
  }
  co_return fail(ErrorCode::kTimeout, what + ": no answer in time");
}

}  // namespace berth
