// SPDX-License-Identifier: Apache-2.0

#include "agent/service/service_life.hpp"

#include <csignal>

#include "base/no_throw.hpp"

namespace berth::agent {

ServiceLife::ServiceLife(boost::asio::io_context& loop)
    : signals_(loop, SIGHUP, SIGUSR1), hung_up_(loop.get_executor()) {}

void ServiceLife::begin() {
  signals_.add(SIGTERM);
  signals_.add(SIGINT);
}

boost::asio::awaitable<ServiceLife::Order> ServiceLife::next_order() {
  // berthd may have given up before anybody waited here.
  while (!is_ending()) {
    const auto [cancelled, signal] = co_await signals_.async_wait(kNoThrow);
    if (cancelled) break;
    if (signal == SIGUSR1) co_return Order::kReportState;
    if (signal == SIGHUP) {
      hung_up_.notify();
      continue;
    }
    ends_with_ = 0;
    co_return Order::kEnd;
  }
  co_return Order::kGiveUp;
}

bool ServiceLife::give_up(int code) {
  if (is_ending()) return false;
  ends_with_ = code;
  signals_.cancel();
  return true;
}

}  // namespace berth::agent
