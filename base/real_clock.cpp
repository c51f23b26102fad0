#include "base/real_clock.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace berth {

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

}  // namespace berth
