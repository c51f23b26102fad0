// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/pods_known.hpp"

namespace berth::agent {

void PodsKnown::begin() {
  pods_known_ = true;
  bell_.ring();
}

boost::asio::awaitable<bool> PodsKnown::by(Clock& clock, std::optional<SteadyTime> deadline) {
  if (!pods_known_ && deadline) static_cast<void>(co_await bell_.wait_until(clock, *deadline));
  if (!pods_known_ && !deadline) co_await bell_.wait();
  co_return pods_known_;
}

}  // namespace berth::agent
