// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/worker/runtime/garbage_rounds.hpp"

#include <utility>

namespace berth::lifecycle {

GarbageRounds::GarbageRounds(boost::asio::any_io_executor executor, Clock& clock)
    : clock_(clock), bell_(std::move(executor)) {}

void GarbageRounds::has_garbage(const std::string& uid) {
  uids_.insert(uid);
  bell_.notify();
}

boost::asio::awaitable<void> GarbageRounds::run(std::function<void(const std::string&)> collect) {
  for (;;) {
    while (uids_.empty()) co_await bell_.wait();
    co_await clock_.sleep_for(kPeriod);
    for (const std::string& uid : std::exchange(uids_, {})) collect(uid);
  }
}

}  // namespace berth::lifecycle
