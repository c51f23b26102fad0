// One operation against the clock.
//
// The only place that races two awaitables. The operation must honour cancellation, and must
// report its failure as a value: the loser of a race is cancelled and awaited, and what it threw
// would be lost.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace berth {

// The operation's result, or kTimeout with `what` in the message when the deadline comes first.
template <class T>
boost::asio::awaitable<Result<T>> with_deadline(Clock& clock, SteadyTime deadline, std::string what,
                                                boost::asio::awaitable<Result<T>> operation) {
  using boost::asio::experimental::awaitable_operators::operator||;
  auto race = std::move(operation) || clock.sleep_until(deadline);
  auto outcome = co_await std::move(race);
  if (outcome.index() == 0) co_return std::move(std::get<0>(outcome));
  co_return fail(ErrorCode::kTimeout, what + ": no answer in time");
}

}  // namespace berth
