// SPDX-License-Identifier: Apache-2.0

#include "base/real_clock.hpp"

#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace berth {
namespace {

struct Armed {
  boost::asio::steady_timer timer;
  std::function<void()> call;
};

}  // namespace

SteadyTime RealClock::steady_now() const {
  return std::chrono::steady_clock::now();
}

WallTime RealClock::wall_now() const {
  return std::chrono::system_clock::now();
}

boost::asio::awaitable<void> RealClock::sleep_until(SteadyTime deadline) {
  auto executor = co_await boost::asio::this_coro::executor;
  boost::asio::steady_timer timer(executor, deadline);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

Alarm RealClock::call_at(const boost::asio::any_io_executor& loop, SteadyTime moment,
                         std::function<void()> call) {
  auto armed = std::make_shared<Armed>(boost::asio::steady_timer(loop, moment), std::move(call));
  // An expired timer can no longer be cancelled, but the alarm can.
  armed->timer.async_wait([weak = std::weak_ptr(armed)](const boost::system::error_code& error) {
    const auto held = weak.lock();
    if (held && !error) held->call();
  });
  return armed;
}

}  // namespace berth
