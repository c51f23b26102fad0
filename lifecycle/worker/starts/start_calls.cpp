// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/starts/start_calls.hpp"

#include "base/assertion.hpp"

namespace berth::lifecycle {

bool outcome_known(ErrorCode code) {
  return code == ErrorCode::kInvalid || code == ErrorCode::kPermission ||
         code == ErrorCode::kUnimplemented;
}

StartCalls::StartCalls(boost::asio::any_io_executor executor)
    : executor_(executor), none_left_(std::move(executor)) {}

boost::asio::awaitable<StartCalls::Call> StartCalls::begin() {
  if (finishing_) {
    Notification never(executor_);
    co_await never.wait();
  }
  co_return Call(*this);
}

boost::asio::awaitable<bool> StartCalls::finish(Clock& clock, SteadyTime limit) {
  assert_that(!finishing_, "starts are finished once");
  finishing_ = true;
  while (under_way_ > 0) {
    const bool ended = co_await none_left_.wait_until(clock, limit);
    if (!ended) co_return false;
  }
  co_return true;
}

void StartCalls::ended() {
  assert_that(under_way_ > 0, "a start that ends has begun");
  if (--under_way_ == 0 && finishing_) none_left_.notify();
}

}  // namespace berth::lifecycle
