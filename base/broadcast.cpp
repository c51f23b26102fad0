// SPDX-License-Identifier: Apache-2.0

#include "base/broadcast.hpp"

#include <utility>

#include <boost/asio/error.hpp>

#include "base/assertion.hpp"

namespace berth {

Broadcast::Broadcast(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

Broadcast::~Broadcast() {
  assert_that(sleepers_.empty(), "a broadcast outlives its waiters");
}

void Broadcast::ring() {
  auto woken = std::exchange(sleepers_, {});
  for (auto& [number, sleeper] : woken) {
    *sleeper.rang = true;
    resume(executor_, std::move(sleeper.waiter));
  }
}

boost::asio::awaitable<void> Broadcast::wait() {
  bool rang = false;
  co_await sleep(next_++, &rang);
}

boost::asio::awaitable<bool> Broadcast::wait_until(Clock& clock, SteadyTime deadline) {
  bool rang = false;
  const std::uint64_t number = next_++;
  const Alarm late = clock.call_at(executor_, deadline, [this, number] { end_wait(number, {}); });
  co_await sleep(number, &rang);
  co_return rang;
}

boost::asio::awaitable<void> Broadcast::sleep(std::uint64_t number, bool* rang) {
  auto start = [this, number, rang](Waiter waiter) {
    on_cancel(waiter, [this, number] { end_wait(number, boost::asio::error::operation_aborted); });
    sleepers_.emplace(number, Sleeper{.waiter = std::move(waiter), .rang = rang});
  };
  auto suspended = suspend(std::move(start));
  co_await std::move(suspended);
}

void Broadcast::end_wait(std::uint64_t number, boost::system::error_code outcome) {
  auto sleeper = sleepers_.extract(number);
  if (sleeper.empty()) return;
  resume(executor_, std::move(sleeper.mapped().waiter), outcome);
}

}  // namespace berth
