// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/pod_mailbox.hpp"

#include "base/assertion.hpp"

namespace berth::lifecycle {

void PodMailbox::post(PodOrders orders, std::optional<Ending> waiting) {
  if (waiting) orders_.end = std::move(waiting);
  orders_ = merge(std::move(orders_), std::move(orders));
  ring();
}

boost::asio::awaitable<void> PodMailbox::rest(Clock& clock, std::optional<SteadyTime> until,
                                              std::string_view uid) {
  assert_that(!resting_, "a worker rests once at a time", uid);
  resting_ = true;
  co_await bell_.wait_until(clock, until);
  resting_ = false;
}

}  // namespace berth::lifecycle
